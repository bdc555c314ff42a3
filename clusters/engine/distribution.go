// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"slices"
	"strings"
)

// distribution names a Linux distribution by the identifiers of os-release(5), its own first.
type distribution []string

func parseOSRelease(text string) distribution {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok {
			values[key] = strings.Trim(value, `"'`)
		}
	}
	return strings.Fields(values["ID"] + " " + values["ID_LIKE"])
}

func (d distribution) is(id string) bool { return slices.Contains(d, id) }

// debian reports whether apt-get offers the package docker.io.
func (d distribution) debian() bool { return d.is("debian") || d.is("ubuntu") }

// installCommand returns the command that a user can run to install Docker.
func (d distribution) installCommand() string {
	switch {
	case d.debian():
		return "sudo apt-get update && sudo apt-get install docker.io"
	case d.is("fedora"):
		return "sudo dnf install moby-engine && sudo systemctl start docker"
	case d.is("arch"):
		return "sudo pacman -S docker && sudo systemctl start docker"
	case d.is("alpine"):
		return "sudo apk add docker && sudo service docker start"
	default:
		return "curl -fsSL https://get.docker.com | sudo sh"
	}
}
