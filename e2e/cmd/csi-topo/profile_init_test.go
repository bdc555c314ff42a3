// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
)

// TestProfileInit checks that from a driver's sockets alone, init writes a valid profile, with which no case fails. The
// driver has too little room for volumes of the default size.
func TestProfileInit(t *testing.T) {
	driver, flags := serve(t, embedded.Options{})
	id := somebodyElses(t, driver)
	t.Chdir(t.TempDir())
	p := program(t, "", append([]string{"profile", "init"}, flags...)...)
	const file = "hostpath.topo.csi.yaml"
	if p.exit != report.ExitPassed || !strings.Contains(p.out, "wrote "+file) {
		t.Fatalf("exit status %d: %s%s", p.exit, p.out, p.errOut)
	}
	keeps(t, driver, id)
	p.leftNothingBehind(t)
	written, err := profile.Load("./" + file)
	if err != nil {
		t.Fatal(err)
	}
	if written.Endpoints.Controller != driver.Controller || len(written.Endpoints.Nodes) != len(driver.Nodes) || !written.Block ||
		len(written.Volumes) != 1 || written.Volumes[0].AccessibleFrom != 1 || written.VolumeBytes != 16<<20 {
		t.Errorf("got %+v", written)
	}
	if p := program(t, "", "profile", "check", "./"+file); p.exit != report.ExitPassed {
		t.Errorf("profile check: exit status %d: %s", p.exit, p.errOut)
	}
	again := program(t, "", append([]string{"profile", "init"}, flags...)...)
	if again.exit != report.ExitError || !strings.Contains(again.errOut, file+" exists: ") {
		t.Errorf("a file that exists: exit status %d: %s", again.exit, again.errOut)
	}
	if forced := program(t, "", append([]string{"profile", "init", "--force"}, flags...)...); forced.exit != report.ExitPassed {
		t.Errorf("--force: exit status %d: %s", forced.exit, forced.errOut)
	}
	spec := program(t, "", "spec", "--profile", "./"+file, "--focus", `^T-|^capacity_|^preferred_`)
	if sum := spec.report(t).Summary; spec.exit != report.ExitPassed || sum.Pass == 0 {
		t.Errorf("spec: exit status %d, %+v: %s", spec.exit, sum, spec.out)
	}
	keeps(t, driver, id)
}

// TestProfileInitIsGiven checks that init creates volumes with the parameters and secrets of the command line, and writes
// them to the profile.
func TestProfileInitIsGiven(t *testing.T) {
	driver, flags := elsewhere(t, "a", "b")
	p := program(t, "", append([]string{"profile", "init", "--output-file", "-", "--parameter", "zones=2", "--parameter", "allocation=a,b", "--secret", "token=YQ=="}, flags...)...)
	refused, err := profile.Parse("printed.yaml", []byte(p.out))
	if err != nil || p.exit != report.ExitPassed || refused.Block || !strings.Contains(p.out, `allocation`) {
		t.Errorf("a parameter that the driver refuses: exit status %d, %v: %s%s", p.exit, err, p.errOut, p.out)
	}
	p = program(t, "", append([]string{"profile", "init", "--output-file", "-", "--parameter", "zones=2", "--secret", "token=YQ=="}, flags...)...)
	written, err := profile.Parse("printed.yaml", []byte(p.out))
	if err != nil || p.exit != report.ExitPassed {
		t.Fatalf("exit status %d, %v: %s%s", p.exit, err, p.errOut, p.out)
	}
	secrets := written.Secrets
	if !written.Block || len(written.Volumes) != 1 || written.Volumes[0].Parameters["zones"] != "2" ||
		secrets.CreateVolume["token"] != "YQ==" || secrets.NodeExpandVolume["token"] != "YQ==" || secrets.ListSnapshots["token"] != "YQ==" {
		t.Errorf("got %+v", written)
	}
	if left := driver.Volumes.IDs(); len(left) > 0 {
		t.Errorf("volumes %q are left", left)
	}
}

func TestProfileInitPrints(t *testing.T) {
	driver, _ := elsewhere(t, "a")
	t.Chdir(t.TempDir())
	p := program(t, "", "profile", "init", "--output-file", "-", "--endpoint", driver.Controller)
	if _, err := profile.Parse("printed.yaml", []byte(p.out)); err != nil || p.exit != report.ExitPassed {
		t.Errorf("exit status %d, %v: %s%s", p.exit, err, p.errOut, p.out)
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("got %v, %v, want no file", files, err)
	}
}

func TestProfileInitRefuses(t *testing.T) {
	driver, flags := elsewhere(t, "a")
	dir := t.TempDir()
	kubeconfig := filepath.Join(dir, "kubeconfig")
	forbids := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/version" {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = w.Write([]byte(`{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403, "major": "1", "minor": "36"}`))
	}))
	defer forbids.Close()
	if err := os.WriteFile(kubeconfig, []byte(strings.Replace(nobodyListens, "https://127.0.0.1:1", forbids.URL, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "out.yaml")
	for _, test := range []struct {
		name  string
		given []string
		want  string
	}{
		{"no endpoint", nil, "there is no endpoint"},
		{"an endpoint where nobody is", []string{"--endpoint", "/nowhere/csi.sock"}, "asking the endpoint unix:///nowhere/csi.sock for GetPluginInfo"},
		{"a cluster that does not let it read", append([]string{"--kubeconfig", kubeconfig}, flags...), "want a kubeconfig whose user may read it"},
		{"a directory that does not exist", append([]string{"--output-file", filepath.Join(dir, "no", "out.yaml")}, flags...), "writing the profile: open "},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := program(t, "", append([]string{"profile", "init", "--output-file", file}, test.given...)...)
			if p.exit != report.ExitError || !strings.Contains(p.errOut, test.want) || strings.Count(p.errOut, "\n") != 1 {
				t.Errorf("exit status %d, %q, want 2 and one sentence with %q", p.exit, p.errOut, test.want)
			}
			if _, err := os.Stat(file); err == nil {
				t.Error("a file was written")
			}
		})
	}
	if left := driver.Volumes.IDs(); len(left) > 0 {
		t.Errorf("volumes %q are left", left)
	}
}
