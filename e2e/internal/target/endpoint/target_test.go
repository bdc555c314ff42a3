// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"path/filepath"
	"testing"
)

func TestTarget(t *testing.T) {
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, given, want string }{
		{"nothing", "", ""},
		{"an absolute path", "/csi/csi.sock", "unix:///csi/csi.sock"},
		{"a relative path", "./csi.sock", "unix://" + dir + "/csi.sock"},
		{"a relative path without a dot", "csi/csi.sock", "unix://" + dir + "/csi/csi.sock"},
		{"the name of a socket", "csi.sock", "unix://" + dir + "/csi.sock"},
		{"a path with a colon", "/csi/a:b.sock", "unix:///csi/a:b.sock"},
		{"a host and a port", "driver:1234", "driver:1234"},
		{"a path above", "../csi.sock", "unix://" + filepath.Dir(dir) + "/csi.sock"},
		{"a target", "unix:///csi/csi.sock", "unix:///csi/csi.sock"},
		{"an address", "dns:///driver:1234", "dns:///driver:1234"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Target(c.given); err != nil || got != c.want {
				t.Errorf("Target(%q) = %q, %v, want %q", c.given, got, err, c.want)
			}
		})
	}
}
