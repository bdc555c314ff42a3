// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"strings"
	"testing"
)

func TestWhyNotPrivate(t *testing.T) {
	silent := errors.New("docker version: Cannot connect to the Docker daemon")
	debian, fedora := distribution{"debian"}, distribution{"fedora"}
	for _, test := range []struct {
		name   string
		given  host
		answer error
		want   string // part of the error; "" means that a private daemon can run
	}{
		{"root on Debian", host{linux: true, root: true, distribution: debian}, silent, ""},
		{"root with dockerd elsewhere", host{linux: true, root: true, dockerd: true, distribution: fedora}, silent, ""},
		{"root on Fedora", host{linux: true, root: true, distribution: fedora}, silent, "sudo dnf install moby-engine"},
		{"a user on Debian", host{linux: true, distribution: debian}, silent, "sudo apt-get install docker.io, or run this as root"},
		{"a user, dockerd is stopped", host{linux: true, dockerd: true, distribution: debian}, silent, "sudo systemctl start docker"},
		{
			"a user outside the group docker", host{linux: true, dockerd: true, distribution: debian},
			errors.New("docker version: permission denied while trying to connect"), "sudo usermod -aG docker $USER",
		},
		{"a Mac", host{root: true}, silent, "Docker Desktop"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := checkPrivate(test.given, test.answer)
			if test.want == "" {
				if err != nil {
					t.Errorf("whyNotPrivate(%+v) = %q, want nil", test.given, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("whyNotPrivate(%+v) = %v, want it to contain %q", test.given, err, test.want)
			}
			if !errors.Is(err, test.answer) || strings.Contains(err.Error(), "\n") {
				t.Errorf("whyNotPrivate(%+v) = %q, want one line with the engine's own answer", test.given, err)
			}
		})
	}
}
