// SPDX-License-Identifier: Apache-2.0

package report

import "testing"

func TestPlain(t *testing.T) {
	for _, c := range []struct {
		name  string
		given string
		want  string
	}{
		{name: "words", given: "want Z2, got Z3", want: "want Z2, got Z3"},
		{name: "a file of this module", given: "no\nat /home/a/src/e2e/spec/volume/size.go:31", want: "no\nat e2e/spec/volume/size.go:31"},
		{name: "a file of this module, built with -trimpath", given: "at github.com/csi-topo/csi-topo/e2e/spec/volume/size.go:31", want: "at e2e/spec/volume/size.go:31"},
		{name: "a file of another module", given: "at /root/go/pkg/mod/github.com/kubernetes-csi/csi-test/v5@v5.4.0/pkg/sanity/node.go:7",
			want: "at github.com/kubernetes-csi/csi-test/v5@v5.4.0/pkg/sanity/node.go:7"},
		{name: "a file of Go's own", given: "at /usr/local/go/src/runtime/panic.go:7", want: "at panic.go:7"},
		{name: "a volume's path", given: "no file at /csi/target", want: "no file at /csi/target"},
		{name: "Go types", given: "Expected\n    <string>: Z3\nto equal\n    <[]string | len:1, cap:1>: [\"Z2\"]", want: "Expected\n    Z3\nto equal\n    [\"Z2\"]"},
		{name: "a pointer", given: "<*status.Error | 0xc000012345>: \n  broken", want: "\n  broken"},
		{name: "an error among others", given: "[\n  <*errors.errorString | 0xc0>broken,\n]", want: "[\n  broken,\n]"},
		{name: "an error that is printed twice", given: "Unexpected error:\n  <*status.Error | 0xc0>: \n  broken\n  broken\noccurred", want: "Unexpected error:\n  broken\noccurred"},
		{name: "a topology that is named twice", given: "requisite:\n    zone=Z3\n    zone=Z3", want: "requisite:\n    zone=Z3\n    zone=Z3"},
		{name: "several matchers", given: "one of these matchers: [%!s(*matchers.BeZeroMatcher=&{}) %!s(*matchers.BeNumericallyMatcher=&{>= [10]})]",
			want: "one of these matchers: [BeZero BeNumerically >= [10]]"},
		{name: "a field in angle brackets", given: "a volume of <size>: none", want: "a volume of <size>: none"},
		{name: "an error of gRPC", given: "rpc error: code = NotFound desc = no such volume", want: "NOT_FOUND: no such volume"},
		{name: "an error of gRPC in two words", given: "rpc error: code = DeadlineExceeded desc = late", want: "DEADLINE_EXCEEDED: late"},
		{name: "an error of gRPC of nobody's", given: "rpc error: code = Code(99) desc = x", want: "rpc error: code = Code(99) desc = x"},
		{name: "the largest number", given: "room: 9223372036854775807 bytes", want: "room: 2^63-1 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plain(c.given); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
