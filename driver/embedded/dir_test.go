// SPDX-License-Identifier: Apache-2.0

package embedded_test

import (
	"path/filepath"
	"testing"

	"github.com/csi-topo/csi-topo/driver/embedded"
)

func TestMkdirTempObeysTMPDIR(t *testing.T) {
	want := t.TempDir()
	t.Setenv("TMPDIR", want)
	made, err := embedded.MkdirTemp("test")
	if err != nil || filepath.Dir(made) != want {
		t.Errorf("got %s, %v, want a directory in %s", made, err, want)
	}
}
