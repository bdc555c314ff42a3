// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

func TestRefused(t *testing.T) {
	stage := func(volume, path string) proto.Message {
		return &csi.NodeStageVolumeRequest{VolumeId: volume, StagingTargetPath: path}
	}
	snapshot := func(name string) proto.Message { return &csi.CreateSnapshotRequest{Name: name} }
	for _, c := range []struct {
		name   string
		before []proto.Message
		asked  proto.Message
		code   codes.Code
		want   string
	}{
		{"a new path", []proto.Message{stage("w", "/a")}, stage("v", "/b"), codes.AlreadyExists, "NS-05"},
		{"another code", nil, stage("v", "/b"), codes.Internal, ""},
		{"a path that was asked for before", []proto.Message{stage("w", "/b")}, stage("v", "/b"), codes.AlreadyExists, ""},
		{"a volume that may be staged elsewhere", []proto.Message{stage("v", "/a")}, stage("v", "/b"), codes.AlreadyExists, ""},
		{"a volume of others", nil, stage("theirs", "/b"), codes.AlreadyExists, ""},
		{"a new name", []proto.Message{snapshot("a")}, snapshot("b"), codes.AlreadyExists, "CS-18"},
		{"a name in other letters", []proto.Message{snapshot("B")}, snapshot("b"), codes.AlreadyExists, ""},
		{"a call whose errors do not have it", nil, &csi.DeleteVolumeRequest{VolumeId: "v"}, codes.AlreadyExists, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &Judge{}
			j.Flaws("the controller", &csi.CreateVolumeRequest{Name: "n"}, &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "v"}})
			for _, request := range append(c.before, c.asked) {
				j.Asked(request)
			}
			got := ""
			for _, flaw := range j.Refused(c.asked, c.code) {
				got += flaw.Clause
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
