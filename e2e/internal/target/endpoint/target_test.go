// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"path/filepath"
	"strings"
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
		{"an address as drivers take it", "tcp://10.0.0.1:1234", "10.0.0.1:1234"},
		{"a path that is relative for gRPC", "unix:csi.sock", "unix:csi.sock"},
		{"an address", "dns:///driver:1234", "dns:///driver:1234"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Target(c.given); err != nil || got != c.want {
				t.Errorf("Target(%q) = %q, %v, want %q", c.given, got, err, c.want)
			}
		})
	}
}

func TestTargetSaysHowToWriteIt(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"two slashes and a relative path", "unix://tmp/x.sock", "want unix:///tmp/x.sock"},
		{"two slashes and a host", "dns://driver:1234", "want dns:///driver:1234"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Target(c.given); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Target(%q) = %q, %v, want an error with %q", c.given, got, err, c.want)
			}
		})
	}
}
