// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestWhatOthersHaveIsLeftAlone checks that no case, and not csi-sanity either, touches a volume of someone else if the
// driver returns it for requests that it must refuse.
func TestWhatOthersHaveIsLeftAlone(t *testing.T) {
	t.Parallel()
	const generated = 10 * time.Second // cases need not find the fewest requests that show the fault
	for _, c := range []struct {
		name  string
		lacks []protoreflect.Enum
	}{
		{name: "lists volumes"},
		{"lists nothing", []protoreflect.Enum{
			csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES,
			csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS, csi.ControllerServiceCapability_RPC_GET_VOLUME,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			theirs := &theirVolume{t: t}
			var running *embedded.Driver
			result := spectest.RunCases(t, mutation.Cases{Areas: spec.Areas(), Guest: func(_ context.Context, tier *harness.Suite) suite.Guest {
				node := running.Nodes[0]
				return &sanity.Guest{Tier: tier, Extent: sanity.Everywhere, Segments: []sanity.Segment{{
					Topology: map[string]string(node.Segment), Controller: running.Controller, Node: node.Endpoint, NodeID: node.ID,
				}}}
			}}, mutation.Driver{
				Fault: theirs.handedOut().Over(mutation.Unclaimed(c.lacks...)),
				Running: func(driver *embedded.Driver, target *harness.Target) {
					running = driver
					target.Profile.Exclusive = false
					target.Timeouts.Generated = generated
					theirs.create(driver)
				},
				Watch: theirs,
			})
			for _, c := range result.Cases {
				if c.Verdict == suite.Errored {
					t.Errorf("case %s: %s", c.ID, c.Message)
				}
			}
			t.Logf("%+v: handed out %d times", result.Summary, theirs.handed.Load())
			if theirs.handed.Load() == 0 || result.Summary.Pass == 0 || result.Summary.Fail == 0 {
				t.Error("the volume was to be handed out, which some cases fail and others do not notice")
			}
		})
	}
}

// theirVolume is a volume that someone else made and has on a node, with data.
type theirVolume struct {
	t      *testing.T
	volume *csi.Volume
	file   string
	handed atomic.Int64
	node   csi.NodeClient
	stage  *csi.NodeStageVolumeRequest
	target string
}

const theirData = "nobody but its owner may lose this"

// create makes the volume, as another CO does.
func (v *theirVolume) create(driver *embedded.Driver) {
	must := func(err error) {
		if err != nil {
			v.t.Fatal(err)
		}
	}
	const patience = time.Minute
	ctx, cancel := context.WithTimeout(v.t.Context(), patience)
	defer cancel()
	controllerConn, err := wire.Dial(driver.Controller)
	must(err)
	nodeConn, err := wire.Dial(driver.Nodes[0].Endpoint)
	must(err)
	must(wire.WaitUntilReady(ctx, controllerConn, nodeConn))
	controller := csi.NewControllerClient(controllerConn)
	v.node = csi.NewNodeClient(nodeConn)
	capability := &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
	made, err := controller.CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name: "pvc-of-somebody-else", VolumeCapabilities: []*csi.VolumeCapability{capability},
		AccessibilityRequirements: &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: driver.Nodes[0].Segment}}},
	})
	must(err)
	v.volume = made.GetVolume()
	attached, err := controller.ControllerPublishVolume(ctx, &csi.ControllerPublishVolumeRequest{
		VolumeId: v.volume.GetVolumeId(), NodeId: driver.Nodes[0].ID, VolumeCapability: capability, VolumeContext: v.volume.GetVolumeContext(),
	})
	must(err)
	dir := v.t.TempDir()
	v.stage = &csi.NodeStageVolumeRequest{
		VolumeId: v.volume.GetVolumeId(), StagingTargetPath: filepath.Join(dir, "staging"), VolumeCapability: capability,
		PublishContext: attached.GetPublishContext(), VolumeContext: v.volume.GetVolumeContext(),
	}
	v.target = filepath.Join(dir, "target")
	must(os.Mkdir(v.stage.GetStagingTargetPath(), 0o700))
	_, err = v.node.NodeStageVolume(ctx, v.stage)
	must(err)
	_, err = v.node.NodePublishVolume(ctx, &csi.NodePublishVolumeRequest{
		VolumeId: v.volume.GetVolumeId(), StagingTargetPath: v.stage.GetStagingTargetPath(), TargetPath: v.target, VolumeCapability: capability,
		PublishContext: attached.GetPublishContext(), VolumeContext: v.volume.GetVolumeContext(),
	})
	must(err)
	v.file = filepath.Join(v.target, "data")
	must(os.WriteFile(v.file, []byte(theirData), 0o600))
}

// handedOut returns a driver that answers each creation that it should refuse with the volume, and fails the test if
// the volume is touched.
func (v *theirVolume) handedOut() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if v.isTouched(call) {
			v.t.Errorf("%s was called with the volume of somebody else: %v", call.Method, call.Request)
		}
		answer, err := call.Perform(ctx)
		if _, creates := call.Request.(*csi.CreateVolumeRequest); !creates {
			return answer, err
		}
		switch status.Code(err) {
		case codes.InvalidArgument, codes.NotFound, codes.OutOfRange, codes.AlreadyExists:
			v.handed.Add(1)
			return &csi.CreateVolumeResponse{Volume: proto.CloneOf(v.volume)}, nil
		default:
			return answer, err
		}
	})
}

// isTouched reports whether the call does more with the volume than ask about it.
func (v *theirVolume) isTouched(call mutation.Call) bool {
	switch path.Base(call.Method) {
	case "ValidateVolumeCapabilities", "ControllerGetVolume", "ControllerGetVolumeHealth", "NodeGetVolumeStats", "NodeGetVolumeHealth":
		return false
	case "CreateSnapshot":
		return call.Request.(*csi.CreateSnapshotRequest).GetSourceVolumeId() == v.volume.GetVolumeId()
	default:
		of, has := call.Request.(interface{ GetVolumeId() string })
		return has && of.GetVolumeId() == v.volume.GetVolumeId()
	}
}

// Begin handles the beginning of a case.
func (v *theirVolume) Begin(string) {}

// End looks at the data after each case.
func (v *theirVolume) End(ended suite.Result) {
	if data, err := os.ReadFile(v.file); err != nil || string(data) != theirData {
		v.t.Errorf("after case %s: the data of somebody else's volume is %q, %v", ended.ID, data, err)
	}
}
