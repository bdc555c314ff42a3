// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestSummary(t *testing.T) {
	refused := call{rpc: "CreateVolume", err: status.Error(codes.Internal, "the pool is gone")}
	answered := call{rpc: "ControllerExpandVolume"}
	for _, c := range []struct {
		name  string
		given string
		last  call
		want  string
	}{
		{
			"an error was wanted", "Expected an error to have occurred.  Got:\n    <nil>: nil", answered,
			"csi-sanity expected the call to be refused; ControllerExpandVolume answered OK.",
		},
		{
			"no error was wanted", "volume create failed\nUnexpected error:\n    <*status.Error | 0xc000>: \n    rpc error\n    {\n        s: {\n", refused,
			`csi-sanity expected the call to succeed; CreateVolume answered INTERNAL: "the pool is gone".`,
		},
		{
			"another code was wanted", "unexpected error: the pool is gone\nExpected\n    <codes.Code>: 13\nto equal\n    <codes.Code>: 5", refused,
			`csi-sanity expected NOT_FOUND; CreateVolume answered INTERNAL: "the pool is gone".`,
		},
		{
			"another value was wanted", "Expected\n    <int64>: 34603008\nto equal\n    <int64>: 33554432", answered,
			"csi-sanity found: Expected 34603008 to equal 33554432; ControllerExpandVolume answered OK.",
		},
		{
			"messages that nobody can read",
			"Expected\n    <[]*csi.ListSnapshotsResponse_Entry | len:3, cap:4>: [\n        {\n            state: {\n                NoUnkeyedLiterals: {},\n                DoNotCompare: [],\n            },\n        },\n    ]\nto have length 1",
			answered, "csi-sanity found: Expected what it answered, a list of 3, to have length 1; ControllerExpandVolume answered OK.",
		},
		{
			"one error twice",
			"resource cleanup failed\nExpected\n    <[]error | len:2, cap:2>: [\n        <*errors.errorString | 0xc0>{\n            s: \"it failed: \\\"no\\\"\",\n        },\n        <*errors.errorString | 0xc1>{\n            s: \"it failed: \\\"no\\\"\",\n        },\n    ]\nto be empty",
			answered, "csi-sanity found: resource cleanup failed\nit failed: \"no\"; ControllerExpandVolume answered OK.",
		},
		{
			"a message that is not there", "Expected\n    <*csi.Topology | 0x0>: nil\nnot to be nil", call{},
			"csi-sanity found: Expected nil not to be nil; it had made no call.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := summary(c.given, c.last); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
