// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"path"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
)

// answers simulates a driver by the names of its calls: each function gets the number of earlier calls.
type answers struct {
	calls map[string]func(earlier int) (proto.Message, error)
	made  map[string]int
}

// Invoke answers as the map says.
func (a *answers) Invoke(_ context.Context, method string, _, response any, _ ...grpc.CallOption) error {
	rpc := path.Base(method)
	earlier := a.made[rpc]
	a.made[rpc]++
	answer, err := a.calls[rpc](earlier)
	if err != nil {
		return err
	}
	proto.Merge(response.(proto.Message), answer)
	return nil
}

// NewStream is never called: CSI has no streams here.
func (*answers) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	panic("not a CSI call")
}

// onFakeTime runs a subtest on fake time, which passes only while every goroutine waits: limits are short however busy
// the machine is.
func onFakeTime(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

func TestCleanUp(t *testing.T) {
	refuse := func(code codes.Code) func(int) (proto.Message, error) {
		return func(int) (proto.Message, error) { return nil, status.Error(code, "no") }
	}
	answer := func(m proto.Message) func(int) (proto.Message, error) {
		return func(int) (proto.Message, error) { return m, nil }
	}
	created := answer(&csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "v"}})
	deleted := answer(&csi.DeleteVolumeResponse{})
	nothing := answer(&csi.ListVolumesResponse{})
	const limit = time.Second
	for _, c := range []struct {
		name           string
		create, remove func(int) (proto.Message, error)
		list           func(int) (proto.Message, error) // nil where the driver does not list
		left           string
	}{
		{"a volume is deleted", created, deleted, nil, ""},
		{"a volume is deleted at the second attempt", created, func(earlier int) (proto.Message, error) {
			if earlier == 0 {
				return nil, status.Error(codes.FailedPrecondition, "in use")
			}
			return &csi.DeleteVolumeResponse{}, nil
		}, nil, ""},
		{"a volume is not deleted", created, refuse(codes.Internal), nil, `volume v: INTERNAL: "no"`},
		{"a volume is not deleted, and the refusal comes at the last moment", created, func(int) (proto.Message, error) {
			<-time.After(limit - limit/1000)
			return nil, status.Error(codes.Internal, "no")
		}, nil, `volume v: INTERNAL: "no"`},
		{"a volume is being deleted for ever", created, refuse(codes.Aborted), nil, `volume v: ABORTED: "no"`},
		{"a creation that is refused made nothing", refuse(codes.ResourceExhausted), deleted, nil, ""},
		{"a creation that is refused twice by INTERNAL made nothing", refuse(codes.Internal), deleted, nil, ""},
		{"a creation that is refused by UNKNOWN and then otherwise made nothing", func(earlier int) (proto.Message, error) {
			if earlier == 0 {
				return nil, status.Error(codes.Unknown, "no")
			}
			return nil, status.Error(codes.InvalidArgument, "no")
		}, deleted, nil, ""},
		{"a creation that is pending for ever is open", refuse(codes.Aborted), deleted, nil, "volume named "},
		{"a creation that is pending for ever and listed nowhere made nothing", refuse(codes.Aborted), deleted, nothing, ""},
		{"a creation that is pending for ever is open where something new is listed", refuse(codes.Aborted), deleted,
			answer(&csi.ListVolumesResponse{Entries: []*csi.ListVolumesResponse_Entry{{Volume: &csi.Volume{VolumeId: "w"}}}}), "volume named "},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			driver := &answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"CreateVolume": c.create, "DeleteVolume": c.remove, "ListVolumes": c.list,
			}}
			d := connect(&Target{Controller: driver, Timeouts: profile.Timeouts{Provision: limit, Query: limit, Cleanup: limit}}, &health.Health{}, "case")
			if c.list != nil {
				d.before.Volumes = map[string]bool{}
			}
			request := &csi.CreateVolumeRequest{Name: "n", VolumeCapabilities: []*csi.VolumeCapability{messages.Capability(d.Profile())}}
			_, _ = d.Controller.CreateVolume(attempt.Tolerant(t.Context()), request) // the case judges how it ends
			err := d.StartOver(t.Context())
			if (err != nil) != (c.left != "") || err != nil && !strings.Contains(err.Error(), c.left) {
				t.Errorf("StartOver = %v, want %q", err, c.left)
			}
		})
	}
}

// TestAPublicationThatComesLateIsEndedAgain checks that a publication that was cut, and takes effect after it was ended, is
// ended again before its volume is deleted.
func TestAPublicationThatComesLateIsEndedAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		// comes is the call of DeleteVolume before which the publication takes effect; 0 means before the first call of
		// the clean-up.
		comes int
	}{{"before the deletion", 0}, {"during the deletion", 1}} {
		onFakeTime(t, c.name, func(t *testing.T) {
			attached := false
			driver := &answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"CreateVolume": func(int) (proto.Message, error) {
					return &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "v"}}, nil
				},
				"ControllerPublishVolume": func(int) (proto.Message, error) { return nil, status.Error(codes.DeadlineExceeded, "cut") },
				"ControllerUnpublishVolume": func(earlier int) (proto.Message, error) {
					attached = earlier == 0 && c.comes == 0
					return &csi.ControllerUnpublishVolumeResponse{}, nil
				},
				"DeleteVolume": func(earlier int) (proto.Message, error) {
					if attached = attached || earlier == 0 && c.comes == 1; attached {
						return nil, status.Error(codes.FailedPrecondition, "in use")
					}
					return &csi.DeleteVolumeResponse{}, nil
				},
			}}
			const limit = time.Minute
			d := connect(&Target{Controller: driver, Timeouts: profile.Timeouts{Provision: limit, Query: limit, Cleanup: limit}}, &health.Health{}, "case")
			ctx := attempt.Once(attempt.Tolerant(t.Context()))
			request := &csi.CreateVolumeRequest{Name: "n", VolumeCapabilities: []*csi.VolumeCapability{messages.Capability(d.Profile())}}
			if _, err := d.Controller.CreateVolume(ctx, request); err != nil {
				t.Fatal(err)
			}
			_, _ = d.Controller.ControllerPublishVolume(ctx, &csi.ControllerPublishVolumeRequest{VolumeId: "v", NodeId: "n"}) // it is cut
			if err := d.StartOver(t.Context()); err != nil || attached {
				t.Errorf("StartOver = %v, and that the volume is attached is %v", err, attached)
			}
		})
	}
}

// TestAMountedVolumeStays checks that a volume that could not be unpublished is not unstaged, detached or deleted, unlike
// other volumes.
func TestAMountedVolumeStays(t *testing.T) {
	for _, c := range []struct {
		name  string
		stack int // mounts at the target path; each NodeUnpublishVolume removes one
		want  []string
		left  int
	}{
		{"NodeUnpublishVolume works at the third attempt", 3, []string{
			"NodeUnpublishVolume", "DeleteVolume", "NodeUnpublishVolume", "NodeUnpublishVolume", "NodeUnstageVolume", "ControllerUnpublishVolume", "DeleteVolume",
		}, 0},
		{"NodeUnpublishVolume never works", 1000, []string{"NodeUnpublishVolume", "DeleteVolume", "NodeUnpublishVolume", "NodeUnpublishVolume"}, 4},
	} {
		onFakeTime(t, c.name, func(t *testing.T) {
			mounts, made := c.stack, []string{}
			driver := &answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
				"NodeUnpublishVolume": func(int) (proto.Message, error) {
					made = append(made, "NodeUnpublishVolume")
					if mounts--; mounts > 0 {
						return nil, status.Error(codes.Unknown, "device or resource busy")
					}
					return &csi.NodeUnpublishVolumeResponse{}, nil
				},
			}}
			for rpc, answer := range map[string]proto.Message{
				"NodeUnstageVolume": &csi.NodeUnstageVolumeResponse{}, "ControllerUnpublishVolume": &csi.ControllerUnpublishVolumeResponse{}, "DeleteVolume": &csi.DeleteVolumeResponse{},
			} {
				driver.calls[rpc] = func(int) (proto.Message, error) {
					made = append(made, rpc)
					return answer, nil
				}
			}
			const limit = time.Minute
			suite := New(&Target{Controller: driver, Nodes: []grpc.ClientConnInterface{driver}, Timeouts: profile.Timeouts{Provision: limit, Query: limit, Cleanup: limit}})
			d := suite.connect("case")
			node := d.Nodes[0]
			for _, id := range []string{"other", "v"} {
				suite.health.Own.Claim(own.Answer{Kind: own.Volume, ID: id, Exclusive: true})
				enterVolume(d, id, nil)
			}
			enterPublication(d, &csi.ControllerPublishVolumeRequest{VolumeId: "v", NodeId: "n"})
			enterStaging(d, node, &csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: "/staging"})
			enterNodePublication(d, node, &csi.NodePublishVolumeRequest{VolumeId: "v", TargetPath: "/target"})

			err := d.StartOver(t.Context())

			if left := len(d.ledger.All()); left != c.left || (err != nil) != (c.left > 0) {
				t.Errorf("StartOver = %v, and leaves %d, want %d", err, left, c.left)
			}
			if diff := cmp.Diff(c.want, made[:min(len(c.want), len(made))]); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			_, left := suite.RemoveLeftovers(t.Context())
			if deleted := driver.made["DeleteVolume"] == 2; len(left) != c.left || deleted != (c.left == 0) {
				t.Errorf("the end of the run leaves %q, want %d; that volume v is deleted is %v", left, c.left, deleted)
			}
		})
	}
}

func TestWhatIsLeftIsRemovedAtTheEnd(t *testing.T) {
	driver := &answers{made: map[string]int{}, calls: map[string]func(int) (proto.Message, error){
		"DeleteVolume": func(earlier int) (proto.Message, error) {
			if earlier == 0 {
				return nil, status.Error(codes.Internal, "no")
			}
			return &csi.DeleteVolumeResponse{}, nil
		},
	}}
	const limit = time.Minute
	suite := New(&Target{Controller: driver, Timeouts: profile.Timeouts{Provision: limit, Cleanup: limit}})
	d := connect(suite.target, &suite.health, "case")
	enterVolume(d, "gone", nil)
	enterVolume(d, "kept", nil)
	suite.health.Leave(d.ledger.Clear())
	removed, left := suite.RemoveLeftovers(t.Context())
	if want := `volume kept: INTERNAL: "no"`; removed != 1 || len(left) != 1 || left[0] != want {
		t.Errorf("got %d removed, and %q left, want 1 and %q", removed, left, want)
	}
}
