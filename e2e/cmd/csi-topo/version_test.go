// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// TestVersion runs the version command. A test binary has no version; scripts/test-release.sh checks a built program's.
func TestVersion(t *testing.T) {
	p := program(t, "", "version")
	if p.exit != report.ExitPassed || !strings.HasPrefix(p.out, "csi-topo ") || !strings.Contains(p.out, runtime.GOARCH) || !strings.Contains(p.out, "\ncommit ") {
		t.Errorf("exit status %d, %q%s, want the version and the commit", p.exit, p.out, p.errOut)
	}
}
