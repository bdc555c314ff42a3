// SPDX-License-Identifier: Apache-2.0

package engine

import "testing"

func TestComplaint(t *testing.T) {
	for _, test := range []struct{ name, given, want string }{
		{"one line", "Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?\n", "Cannot connect to the Docker daemon at unix:///x"},
		{"a warning before", "WARNING: x\n\nError response from daemon: no\n", "Error response from daemon: no"},
		{"a hint after", "docker: Error response from daemon: no\n\nRun 'docker run --help' for more information\n", "docker: Error response from daemon: no"},
		{"an older hint", "docker: no.\n\nSee 'docker run --help'.\n", "docker: no."},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := errorMessage(test.given); got != test.want {
				t.Errorf("errorMessage(%q) = %q, want %q", test.given, got, test.want)
			}
		})
	}
}
