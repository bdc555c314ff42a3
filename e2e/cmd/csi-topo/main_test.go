// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// notOfTheReferenceDriver returns the cases that the reference driver skips, and the party that decides it. The driver
// claims growth in use, copies of both kinds and no mount group; its profile has no secrets and one mutable parameter; its
// volumes in memory are not mounted.
var notOfTheReferenceDriver = map[string]suite.DecidedBy{
	"grow_published_offline":               suite.ByCapability,
	"source_unsupported":                   suite.ByCapability,
	"publish_mount_group":                  suite.ByCapability,
	"attach_read_only_protects":            suite.ByEnvironment,
	"publish_read_only_protects":           suite.ByEnvironment,
	"restart_without_mounts":               suite.ByEnvironment,
	"modify_absent_keys":                   suite.ByProfile,
	"secrets_create_volume":                suite.ByProfile,
	"secrets_in_contexts":                  suite.ByProfile,
	"secrets_delete_volume":                suite.ByProfile,
	"secrets_controller_publish_volume":    suite.ByProfile,
	"secrets_controller_unpublish_volume":  suite.ByProfile,
	"secrets_validate_volume_capabilities": suite.ByProfile,
	"secrets_controller_expand_volume":     suite.ByProfile,
	"secrets_controller_modify_volume":     suite.ByProfile,
	"secrets_create_snapshot":              suite.ByProfile,
	"secrets_delete_snapshot":              suite.ByProfile,
	"secrets_list_snapshots":               suite.ByProfile,
	"secrets_node_stage_volume":            suite.ByProfile,
	"secrets_node_publish_volume":          suite.ByProfile,
	"secrets_node_expand_volume":           suite.ByProfile,
	"secrets_of_other_calls":               suite.ByProfile,
	"secrets_create_volume_group_snapshot": suite.ByProfile,
	"secrets_delete_volume_group_snapshot": suite.ByProfile,
	"secrets_get_volume_group_snapshot":    suite.ByProfile,
	// It takes no group snapshot of volumes that may be written to meanwhile.
	"group_snapshot_write_order": suite.ByCapability,
}

func TestSpecPassesOnTheReferenceDriver(t *testing.T) {
	t.Parallel()
	p := program(t, "", "spec", "--seed", "7", "--csi-sanity", "all")
	if p.exit != report.ExitPassed {
		t.Fatalf("exit status: want 0, got %d:\n%s%s", p.exit, p.out, p.errOut)
	}
	if p.errOut != "" {
		t.Errorf("want nothing on standard error, got:\n%s", p.errOut)
	}
	r := p.report(t)
	for _, c := range r.Cases {
		// csi-sanity skips cases about unclaimed capabilities.
		skipped := c.Verdict == suite.Skipped && (strings.HasPrefix(c.ID, "sanity_") || c.DecidedBy == notOfTheReferenceDriver[c.ID])
		if c.Verdict != suite.Passed && !skipped {
			t.Errorf("case %s: want it passed, got %s: %s %s", c.ID, c.Verdict, c.Reason, c.Message)
		}
	}
	const least = 340 + 4*90 // nearly all of the suite's own cases, and csi-sanity in each of four zones
	if r.Summary.Pass < least {
		t.Errorf("want at least %d cases passed, got %+v", least, r.Summary)
	}
	if r.Driver.Name != "hostpath.topo.csi" || r.Environment.Nodes != 4 || len(r.Environment.Zones) != 4 || r.Suite.Seed != 7 {
		t.Errorf("want the reference driver in four zones and seed 7, got %+v, %+v, %+v", r.Driver, r.Environment, r.Suite)
	}
	for _, requirement := range r.Requirements {
		if requirement.Level == "" || requirement.Grades == "" {
			t.Errorf("%s: want a level and whom it grades, from the register", requirement.ID)
		}
	}
	p.leftNothingBehind(t)
}

func TestInterruptedSpecRun(t *testing.T) {
	p := program(t, " 40/", "spec", "-v")
	if p.exit != report.ExitError {
		t.Errorf("exit status: want 2, got %d:\n%s%s", p.exit, p.out, p.errOut)
	}
	r := p.report(t)
	if r.Summary.Pass == 0 || r.Summary.Error == 0 || r.Summary.Fail > 0 {
		t.Errorf("want cases that passed before the interrupt, errors after it, and no failure, got %+v", r.Summary)
	}
	if r.Driver.Name != "hostpath.topo.csi" {
		t.Errorf("want the driver named after an interrupt too, got %+v", r.Driver)
	}
	if _, err := os.Stat(filepath.Join(p.reportDir, "junit.xml")); err != nil {
		t.Error(err)
	}
	p.leftNothingBehind(t)
}

func TestFocusRunsTheCasesAskedForOnly(t *testing.T) {
	p := program(t, "", "spec", "--focus", `^T-EQ-1$`, "--focus", `^T-ID-1$`)
	if p.exit != report.ExitPassed {
		t.Fatalf("exit status: want 0, got %d:\n%s%s", p.exit, p.out, p.errOut)
	}
	var ran []string
	for _, c := range p.report(t).Cases {
		if c.DecidedBy != suite.ByFilter {
			ran = append(ran, c.ID)
		}
	}
	if diff := cmp.Diff([]string{"T-EQ-1", "T-ID-1"}, ran); diff != "" {
		t.Errorf("cases that ran (-want +got):\n%s", diff)
	}
}

// nobodyListens is the kubeconfig of an unreachable cluster.
const nobodyListens = `apiVersion: v1
kind: Config
clusters: [{name: x, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: x, context: {cluster: x, user: x}}]
users: [{name: x, user: {}}]
current-context: x
`

func TestBadUsageIsOneSentence(t *testing.T) {
	unreachable := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(unreachable, []byte(nobodyListens), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) string {
		path := filepath.Join(filepath.Dir(file), name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	forSpec := write("spec.yaml", "driver: csi.example.com\nvolumeBytes: 1\n")
	withoutManifests := write("cluster.yaml", "driver: csi.example.com\nvolumeBytes: 1\ncluster: {install: {manifests: deploy}, topology: {zone: zone}}\n")
	for _, test := range []struct {
		name  string
		given []string
		want  string
	}{
		{name: "unknown command", given: []string{"spce"}, want: `unknown command "spce"`},
		{name: "unknown flag", given: []string{"spec", "--fokus", "T-EQ"}, want: "unknown flag: --fokus"},
		{name: "near a command", given: []string{"specc"}, want: `unknown command "specc" for "csi-topo": did you mean spec?`},
		{name: "a case that does not exist", given: []string{"spec", "T-EQ"}, want: `there is no case "T-EQ": want ids that`},
		{name: "a cluster case that does not exist", given: []string{"cluster", "T-EQ"}, want: `there is no case "T-EQ": want ids that`},
		{name: "a case of the other tier", given: []string{"cluster", "T-EQ-1"}, want: `cases is left by case "T-EQ-1"`},
		{name: "cases and those that failed", given: []string{"spec", "T-EQ-1", "--rerun-failed", file}, want: "want only one of them"},
		{name: "too few reports", given: []string{"report", "diff", "old"}, want: "found 1 argument: want csi-topo report diff OLD NEW"},
		{name: "no report", given: []string{"report", "html"}, want: "found 0 arguments: want csi-topo report html REPORT..."},
		{name: "no profile", given: []string{"profile", "check"}, want: "found 0 arguments: want csi-topo profile check FILE"},
		{name: "a command that a group does not have", given: []string{"profile", "chek"}, want: `unknown command "chek" for "csi-topo profile"`},
		{name: "label that no case has", given: []string{"spec", "--label", "nosuch"}, want: "is left by label \"nosuch\"; their labels are case:ID, req:ID, needs:WHAT"},
		{name: "label that no case of any tier has", given: []string{"list", "--label", "nosuch"}, want: "and smoke"},
		{name: "focus is no regular expression", given: []string{"spec", "--focus", "T-("}, want: `focus "T-(" is not a regular expression`},
		{name: "focus leaves nothing", given: []string{"spec", "--focus", "T-NOWHERE"}, want: `cases is left by focus "T-NOWHERE"`},
		{name: "focus leaves nothing to list", given: []string{"list", "--focus", "^t-nr"}, want: "is left by focus \"^t-nr\"; upper and lower case matter"},
		{name: "a requirement that does not exist", given: []string{"requirements", "TR-07", "TR-99"}, want: `there is no requirement "TR-99": `},
		{name: "image without a registry", given: []string{"images", "--push-workload", "workload"}, want: `the image name "workload": want one with a registry and a tag, such as registry.example.com/csi-topo-workload:v1`},
		{name: "unknown format of requirements", given: []string{"requirements", "-o", "xml"}, want: `unknown output format "xml": want wide, yaml, json or markdown`},
		{name: "unknown format of cases", given: []string{"list", "-o", "xml"}, want: `unknown output format "xml": want wide, yaml, json or conformance`},
		{name: "seed is no number", given: []string{"spec", "--seed", "x"}, want: `invalid argument "x"`},
		{name: "unknown layout", given: []string{"cluster", "--layout", "rings"}, want: `unknown layout "rings": known are `},
		{name: "layout file that is not there", given: []string{"up", "--layout", "rings.yaml"}, want: "open rings.yaml: no such file"},
		{name: "unknown Kubernetes version", given: []string{"cluster", "--kubernetes", "1.2"}, want: `unknown Kubernetes version "1.2": known are 1.`},
		{name: "unknown source of images", given: []string{"images", "--images", "buy"}, want: `unknown image mode "buy": want auto, build or pull`},
		{name: "name that no node can have", given: []string{"cluster", "--name", "Zone_A"}, want: `cluster name "Zone_A": want at most 40 lower-case letters`},
		{name: "focus leaves no cluster case", given: []string{"cluster", "--focus", "nowhere"}, want: `cases is left by focus "nowhere"`},
		{name: "kubeconfig that is not there", given: []string{"cluster", "--kubeconfig", "/nowhere", "--workload-image", "w"}, want: "kubeconfig /nowhere cannot be used"},
		{name: "kubeconfig that reaches nothing", given: []string{"cluster", "--kubeconfig", unreachable, "--workload-image", "w"}, want: "no cluster answers at https://127.0.0.1:1"},
		{name: "in a cluster without an image", given: []string{"cluster", "--in-cluster"}, want: "--in-cluster needs --workload-image"},
		{name: "in a cluster, and in no pod", given: []string{"cluster", "--in-cluster", "--workload-image", "w"}, want: "this does not run in a pod with a service account"},
		{name: "in a cluster and a kubeconfig", given: []string{"cluster", "--in-cluster", "--kubeconfig", unreachable, "--workload-image", "w"}, want: "[in-cluster kubeconfig] were all set"},
		{name: "report in a ConfigMap of a cluster that goes", given: []string{"cluster", "--report-configmap", "a/b"}, want: "--report-configmap needs --report-dir"},
		{name: "Job on a cluster that others use", given: []string{"cluster", "--kubeconfig", unreachable, "--workload-image", "w", "--job"}, want: "[job kubeconfig] were all set"},
		{name: "Job without images", given: []string{"job"}, want: "a Job needs --image"},
		{name: "Job with a flag that the run does not have", given: []string{"job", "--image", "i", "--workload-image", "w", "--", "--fokus", "x"}, want: "unknown flag: --fokus"},
		{name: "Job with a flag that it gives itself", given: []string{"job", "--image", "i", "--workload-image", "w", "--", "--report-dir", "x"}, want: "--report-dir after --: "},
		{name: "Job with a cluster of its own", given: []string{"job", "--image", "i", "--workload-image", "w", "--", "--layout", "zones"}, want: "[in-cluster layout] were all set"},
		{name: "Job with words", given: []string{"job", "--image", "i", "--workload-image", "w", "smoke"}, want: `unknown argument "smoke": pass flags of csi-topo cluster after --`},
		{name: "images below what is no registry", given: []string{"images", "--list", "--image-prefix", "mirror"}, want: `the prefix of images "mirror": want a registry`},
		{name: "image of csi-topo without a registry", given: []string{"images", "--push-csi-topo", "csi-topo"}, want: `the image name "csi-topo": want one with a registry and a tag`},
		{name: "image of the driver without a registry", given: []string{"images", "--push-driver", "driver"}, want: `the image name "driver": want one with a registry and a tag`},
		{name: "kubeconfig without an image", given: []string{"cluster", "--kubeconfig", unreachable}, want: "--kubeconfig needs --workload-image"},
		{name: "kubeconfig and a layout", given: []string{"cluster", "--kubeconfig", unreachable, "--layout", "zones"}, want: "[kubeconfig layout] were all set"},
		{name: "profile that nobody knows", given: []string{"cluster", "--profile", "nobodys-driver"}, want: `unknown profile "nobodys-driver": known are `},
		{name: "profile that is not there", given: []string{"up", "--profile", "./no.yaml"}, want: "reading the profile: open ./no.yaml"},
		{name: "profile without a cluster", given: []string{"cluster", "--profile", forSpec}, want: "has no cluster section: want cluster.topology.zone"},
		{name: "profile whose manifests are not there", given: []string{"up", "--profile", withoutManifests}, want: "driver csi.example.com is installed by the manifests in " + filepath.Join(filepath.Dir(withoutManifests), "deploy") + ", which does not exist"},
		{name: "no extent of csi-sanity", given: []string{"spec", "--csi-sanity", "none"}, want: `--csi-sanity is "none": want auto, all or first`},
		{name: "report directory is a file", given: []string{"spec", "--report-dir", file}, want: "report directory cannot be made"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := program(t, "", test.given...)
			if p.exit != report.ExitError {
				t.Errorf("exit status: want 2, got %d", p.exit)
			}
			if !strings.HasPrefix(p.errOut, "csi-topo: ") || !strings.Contains(p.errOut, test.want) || strings.Count(p.errOut, "\n") != 1 {
				t.Errorf("want one line that says %q, got:\n%s", test.want, p.errOut)
			}
			if p.out != "" {
				t.Errorf("want nothing on standard output, got:\n%s", p.out)
			}
			p.leftNothingBehind(t)
		})
	}
}
