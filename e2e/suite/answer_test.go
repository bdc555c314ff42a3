// SPDX-License-Identifier: Apache-2.0

package suite

import "testing"

func TestAnswer(t *testing.T) {
	const refused = `INVALID_ARGUMENT: "too many \"topologies\""`
	for _, c := range []struct{ name, given, want string }{
		{"an expectation", "the volume is made\ngot: " + refused + "\nat e2e/a.go:1", refused},
		{"a call that the case needs", "a call that the case needs failed: " + refused, refused},
		{"a call that was repeated", "CreateVolume at the controller did not succeed within 5s; the last status was " + refused, refused},
		{"a request that is valid", "NodeExpandVolume of required_bytes 2 is a valid request, and was refused: " + refused, refused},
		{"csi-sanity", "csi-sanity expected the call to succeed; CreateVolume answered " + refused + ".", refused},
		{"a generated step", "allowed:\n    OK\nanswered: " + refused, refused},
		{"a code that is none", `got: 99: "no"`, `99: "no"`},
		{"a number in the middle of a word", "he answered 12 questions", ""},
		{"OK", "the call is refused\ngot: OK", ""},
		{"no message", `got: INTERNAL: ""`, ""},
		{"nothing", "the volume has 10 bytes", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Answer(c.given); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
