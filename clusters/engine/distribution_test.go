// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"strings"
	"testing"
)

func TestParseOSRelease(t *testing.T) {
	for _, test := range []struct {
		name    string
		given   string
		debian  bool
		command string // a part of it
	}{
		{"Debian", "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n", true, "apt-get install docker.io"},
		{"Ubuntu", "ID=ubuntu\nID_LIKE=debian\n", true, "apt-get install docker.io"},
		{"Mint says what it is like", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", true, "apt-get install docker.io"},
		{"Fedora", "ID=fedora\n", false, "dnf install moby-engine"},
		{"Rocky is like Fedora", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", false, "dnf install moby-engine"},
		{"Debian only in its name", "ID=other\nNAME=\"not debian\"\n", false, "get.docker.com"},
		{"no os-release", "", false, "get.docker.com"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := parseOSRelease(test.given)
			if got.debian() != test.debian {
				t.Errorf("parseOSRelease(%q).debian() = %v, want %v", test.given, got.debian(), test.debian)
			}
			if command := got.installCommand(); !strings.Contains(command, test.command) {
				t.Errorf("installCommand() = %q, want it to contain %q", command, test.command)
			}
		})
	}
}
