// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
)

func TestProfileImport(t *testing.T) {
	testdata, err := filepath.Abs("../../internal/target/profiling/convert/testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	p := program(t, "", "profile", "import", filepath.Join(testdata, "zonal.yaml"), "--", "-csi.endpoint=/csi/csi.sock")
	const file = "./disk.csi.example.com.yaml"
	if p.exit != report.ExitPassed || !strings.Contains(p.errOut, "not carried over:\n") || !strings.Contains(p.errOut, "\n  DriverInfo.StressTestOptions: ") {
		t.Fatalf("exit status %d: %s%s", p.exit, p.out, p.errOut)
	}
	written, err := profile.Load(file)
	if err != nil || written.Endpoints.Controller != "/csi/csi.sock" || written.VolumeBytes != 4<<30 {
		t.Errorf("got %+v, %v", written, err)
	}
	if p := program(t, "", "profile", "check", file); p.exit != report.ExitPassed {
		t.Errorf("profile check: exit status %d: %s", p.exit, p.errOut)
	}
}

// TestImportedFlagsRun converts the flags of csi-sanity for a driver to a profile, and runs the spec tier with it.
func TestImportedFlagsRun(t *testing.T) {
	driver, _ := elsewhere(t, "a")
	t.Chdir(t.TempDir())
	imported := program(t, "", "profile", "import", "--driver", "hostpath.topo.csi", "--output-file", "my.yaml", "--",
		"-csi.endpoint="+driver.Nodes[0].Endpoint, "-csi.controllerendpoint="+driver.Controller, "-csi.testvolumesize=16777216")
	if imported.exit != report.ExitPassed {
		t.Fatalf("exit status %d: %s", imported.exit, imported.errOut)
	}
	spec := program(t, "", "spec", "--profile", "my.yaml", "--focus", "^T-EQ-1$")
	if sum := spec.report(t).Summary; spec.exit != report.ExitPassed || sum.Pass != 1 {
		t.Errorf("exit status %d, %+v: %s%s", spec.exit, sum, spec.out, spec.errOut)
	}
}

func TestProfileImportRefuses(t *testing.T) {
	for _, test := range []struct {
		name  string
		given []string
		want  string
	}{
		{"nothing", nil, "there is nothing to import"},
		{"two files", []string{"a.yaml", "b.yaml"}, "there are 2 files"},
		{"a file that does not exist", []string{"nowhere.yaml"}, "open nowhere.yaml"},
		{"flags alone", []string{"--", "-csi.endpoint=/csi/csi.sock"}, "pass --driver"},
		{"a name that is none", []string{"--driver", "-a", "--", "-csi.endpoint=/csi/csi.sock"}, `driver is "-a"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			p := program(t, "", append([]string{"profile", "import"}, test.given...)...)
			if p.exit != report.ExitError || !strings.Contains(p.errOut, test.want) {
				t.Errorf("exit status %d, %q, want 2 and %q", p.exit, p.errOut, test.want)
			}
		})
	}
}
