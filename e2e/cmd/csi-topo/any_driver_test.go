// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// elsewhere starts a driver that the program does not know, by default in four zones, and returns the flags that name
// it. Volumes of the default size fit in a zone dozens of times.
func elsewhere(t testing.TB, zones ...string) (*embedded.Driver, []string) {
	t.Helper()
	options := embedded.Options{BytesPerSegment: 64 << 30}
	for _, zone := range zones {
		options.Segments = append(options.Segments, topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: zone})
	}
	return serve(t, options)
}

// serve starts a driver with the options, and returns the flags that name it.
func serve(t testing.TB, options embedded.Options) (*embedded.Driver, []string) {
	t.Helper()
	options.Dir, options.MaxVolumesPerNode = inMemory(t), maxVolumesPerNode
	driver, err := embedded.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := driver.Stop(); err != nil {
			t.Error(err)
		}
	})
	flags := []string{"--endpoint", driver.Controller}
	for _, node := range driver.Nodes {
		flags = append(flags, "--node-endpoint", node.Endpoint)
	}
	return driver, flags
}

// somebodyElses creates a volume that no run may touch.
func somebodyElses(t *testing.T, driver *embedded.Driver) string {
	t.Helper()
	conn, err := wire.Dial(driver.Controller)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	made, err := csi.NewControllerClient(conn).CreateVolume(t.Context(), &csi.CreateVolumeRequest{
		Name: "csi-topo-somebody-elses",
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return made.GetVolume().GetVolumeId()
}

// keeps checks that the driver has the volume with the id, and nothing else.
func keeps(t *testing.T, driver *embedded.Driver, id string) {
	t.Helper()
	if volumes, snapshots := driver.Volumes.IDs(), driver.Volumes.SnapshotIDs(); len(volumes) != 1 || volumes[0] != id || len(snapshots) > 0 {
		t.Errorf("the driver has volumes %q and snapshots %q after the run, want %q as before it", volumes, snapshots, id)
	}
}

// TestSpecOfADriverElsewhere does not run the slowest cases: TestExampleOfALibrary runs them.
func TestSpecOfADriverElsewhere(t *testing.T) {
	t.Parallel()
	driver, flags := elsewhere(t)
	id := somebodyElses(t, driver)
	p := program(t, "", append([]string{"spec", "--seed", "1", "--skip", `sanity_[1-3]_|^combinations_`}, flags...)...)
	if p.exit != report.ExitPassed {
		t.Errorf("exit status: want 0, got %d:\n%s%s", p.exit, p.out, p.errOut)
	}
	r := p.report(t)
	if r.Environment.Nodes != len(driver.Nodes) || r.Suite.Run == "" {
		t.Errorf("got %+v, %+v, want %d nodes and the run's name", r.Environment, r.Suite, len(driver.Nodes))
	}
	keeps(t, driver, id)
	p.leftNothingBehind(t)
}

func TestAnInterruptTakesBackWhatWasMade(t *testing.T) {
	driver, flags := elsewhere(t)
	id := somebodyElses(t, driver)
	p := program(t, " 9/", append([]string{"spec", "-v", "--label", "needs:exhaustion"}, flags...)...)
	if p.exit != report.ExitError {
		t.Errorf("exit status: want 2, got %d:\n%s%s", p.exit, p.out, p.errOut)
	}
	keeps(t, driver, id)
	p.leftNothingBehind(t)
}

func TestAReaderThatGoesAwayIsAnInterrupt(t *testing.T) {
	driver, flags := elsewhere(t)
	id := somebodyElses(t, driver)
	p := endedProgram{reportDir: t.TempDir(), tempDir: t.TempDir()}
	args := append([]string{"spec", "-v", "--label", "needs:exhaustion", "--report-dir", p.reportDir}, flags...)
	command := exec.CommandContext(t.Context(), os.Args[0], args...)
	command.Env = append(os.Environ(), programVariable+"=1", "TMPDIR="+p.tempDir)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), " 9/"); {
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // the test reads the exit status
	if got := command.ProcessState.ExitCode(); got != report.ExitError {
		t.Errorf("exit status: want 2, got %d", got)
	}
	if sum := p.report(t).Summary; sum.Pass == 0 || sum.Error == 0 {
		t.Errorf("want cases that passed before the reader went, and errors after it, got %+v", sum)
	}
	keeps(t, driver, id)
	p.leftNothingBehind(t)
}

func TestRerunFailed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.yaml")
	earlier := "apiVersion: csi-topo/v1alpha1\nkind: ConformanceReport\ncases:\n- {id: T-EQ-1, verdict: fail}\n- {id: T-EQ-2, verdict: pass}\n- {id: T-NR, verdict: error}\n"
	if err := os.WriteFile(file, []byte(earlier), 0o600); err != nil {
		t.Fatal(err)
	}
	var ran []string
	for _, c := range program(t, "", "spec", "--rerun-failed", file).report(t).Cases {
		if c.DecidedBy != suite.ByFilter {
			ran = append(ran, c.ID)
		}
	}
	if got := strings.Join(ran, " "); got != "T-EQ-1 T-NR" {
		t.Errorf("got %s, want the cases that failed", got)
	}
}

func TestExpected(t *testing.T) {
	for _, c := range []struct {
		name, expected string
		exit           int
		want           string
	}{
		{"as expected", "{id: T-EQ-1, verdict: pass}", report.ExitPassed, "every case ended as"},
		{"otherwise", "{id: T-EQ-1, verdict: fail}", report.ExitFailed, "pass   T-EQ-1, expected: fail"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			text := "apiVersion: csi-topo/v1alpha1\nkind: ConformanceReport\ncases: [" + c.expected + "]\n"
			if err := os.WriteFile(filepath.Join(dir, "report.yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			p := program(t, "", "spec", "--focus", "^T-EQ-1$", "--expected", dir)
			if p.exit != c.exit || !strings.Contains(p.out, c.want) {
				t.Errorf("exit status %d, want %d and %q:\n%s%s", p.exit, c.exit, c.want, p.out, p.errOut)
			}
		})
	}
}

func TestSpecRefuses(t *testing.T) {
	_, flags := elsewhere(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const kinds = "volumeBytes: 1048576\nvolumes: [{accessibleFrom: 1}]\n"
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"an endpoint where nobody is", []string{"--endpoint", "unix:///nowhere/csi.sock"}, "asking the endpoint unix:///nowhere/csi.sock for GetPluginInfo"},
		{"an endpoint of a kind that there is not", []string{"--endpoint", "carrier:pigeon"}, "asking the endpoint carrier:pigeon for GetPluginInfo"},
		{"a node endpoint without a controller's", flags[2:4], "name the endpoint where that service listens"},
		{"a profile that is none", []string{"--profile", file("a", "a")}, "a:1:1: "},
		{"a profile that is not there", []string{"--profile", filepath.Join(dir, "no")}, "reading the profile: open "},
		{"a profile without endpoints", []string{"--profile", file("b", "driver: a\n"+kinds)}, "there is no endpoint"},
		{"another driver's profile", append([]string{"--profile", file("c", "driver: another.example.com\n"+kinds)}, flags...), `is for driver "another.example.com", and the endpoints belong to "hostpath.topo.csi"`},
		{"a waiver of nothing", append([]string{"--profile", file("d", "driver: a\n"+kinds+"waivers: [{requirement: TR-99, reason: none}]\n")}, flags...), `waives "TR-99", which is not a requirement`},
		{"no steps", []string{"--steps", "0"}, "--steps must be at least 1"},
		{"a requirement that there is not", []string{"--requirement", "TR-99"}, `there is no requirement "TR-99"`},
		{"a report that is none", []string{"--rerun-failed", file("e", "kind: Pod\n")}, `is of kind "Pod" and apiVersion "": want a report.yaml`},
		{"a report without failures", []string{"--rerun-failed", file("f", "apiVersion: csi-topo/v1alpha1\nkind: ConformanceReport\ncases: [{id: T-NR, verdict: pass}]\n")}, "no case failed in "},
		{"expected verdicts that are not there", []string{"--expected", filepath.Join(dir, "no")}, "reading the report: open "},
		{"expected verdicts of what does not exist", []string{"--expected", file("g", "apiVersion: csi-topo/v1alpha1\nkind: ConformanceReport\ncases: [{id: T-NONE, verdict: fail}]\n")}, `expects something of the case "T-NONE", which does not exist`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := program(t, "", append([]string{"spec"}, c.args...)...)
			if p.exit != report.ExitError || !strings.Contains(p.errOut, c.want) || strings.Count(p.errOut, "\n") != 1 {
				t.Errorf("exit status %d, %q, want 2 and one sentence with %q", p.exit, p.errOut, c.want)
			}
			p.leftNothingBehind(t)
		})
	}
}

func TestProfileCheck(t *testing.T) {
	withoutPrograms := written(t, "restart: [/nowhere/kill, -9]\n")
	for _, c := range []struct {
		name, profile string
		exit          int
		want          string
	}{
		{"sound", "../../../fixtures/profiles/hostpath-topo.yaml", report.ExitPassed, "is a valid profile for driver hostpath.topo.csi: 2 volume kinds, 0 node endpoints, 0 waivers"},
		{"without its programs", withoutPrograms, report.ExitPassed, "this machine does not have the program /nowhere/kill, which the profile names"},
		{"unsound", "program_test.go", report.ExitError, "program_test.go:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := program(t, "", "profile", "check", c.profile)
			if said := p.out + p.errOut; p.exit != c.exit || !strings.Contains(said, c.want) {
				t.Errorf("exit status %d, %q, want %d and %q", p.exit, said, c.exit, c.want)
			}
		})
	}
}
