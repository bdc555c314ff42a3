// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func accessed() []Driver {
	files, shareAll, shareLeast := &unstaged{}, &unstaged{}, &unstaged{}
	return []Driver{
		{Name: "block-only", Is: "has raw block volumes only, and refuses to mount one",
			Driver: mutation.Driver{Profile: exactDisks + "mount: false\n", Fault: refusing(isMount)}},
		{Name: "file-systems-only", Is: "has mounted volumes only",
			Driver: mutation.Driver{Profile: noBlock, Fault: refusing(isBlock)}},
		{Name: "no-staging", Is: "publishes volumes without staging them",
			Driver: mutation.Driver{Profile: exactDisks, Options: files.keep, Fault: files.fault()}},
		{
			Name: "shares",
			Is:   "has file shares for all nodes, like NFS: no topology, no attaching, no staging, no block volumes",
			Driver: mutation.Driver{Profile: shares, Options: func(o *embedded.Options) {
				shareAll.keep(o)
				mutation.InOneSegment(o)
			}, Fault: shareAll.fault().Over(refusing(isBlock)).Over(mutation.Lacking(slices.Concat(mutation.Topology, mutation.Attaching)...))},
		},
		{Name: "least", Is: "creates, deletes and publishes volumes, and nothing else",
			Given: []Endpoints{All, Controller}, // with so few claims, little is left of the suite without nodes
			Driver: mutation.Driver{Profile: shares, Options: func(o *embedded.Options) {
				shareLeast.keep(o)
				mutation.InOneSegment(o)
			}, Fault: shareLeast.fault().Over(refusing(isBlock)).Over(barest())}},
	}
}

// barest keeps only the creation and deletion of volumes of the controller, and the staging of volumes of the nodes,
// which unstaged lacks.
func barest() mutation.Fault {
	return mutation.Lacking(slices.Concat(mutation.Topology, mutation.Attaching, []protoreflect.Enum{
		csi.PluginCapability_VolumeExpansion_ONLINE,
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
		csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS,
		csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
		csi.ControllerServiceCapability_RPC_CLONE_VOLUME,
		csi.ControllerServiceCapability_RPC_LIST_VOLUMES,
		csi.ControllerServiceCapability_RPC_GET_VOLUME,
		csi.ControllerServiceCapability_RPC_GET_CAPACITY,
		csi.ControllerServiceCapability_RPC_EXPAND_VOLUME,
		csi.ControllerServiceCapability_RPC_MODIFY_VOLUME,
		csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH,
		csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH,
		csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER,
		csi.NodeServiceCapability_RPC_EXPAND_VOLUME,
		csi.NodeServiceCapability_RPC_GET_VOLUME_STATS,
		csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH,
		csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH,
		csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER,
	})...)
}

func isMount(c *csi.VolumeCapability) bool { return c.GetMount() != nil }
func isBlock(c *csi.VolumeCapability) bool { return c.GetBlock() != nil }

// refusing simulates a driver that does not have volumes with some capabilities.
func refusing(unsupported func(*csi.VolumeCapability) bool) mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		return refuse(ctx, call, unsupported)
	})
}

// refuse answers a call if some of its capabilities are not supported, and performs any other.
func refuse(ctx context.Context, call mutation.Call, unsupported func(*csi.VolumeCapability) bool) (proto.Message, error) {
	var given []*csi.VolumeCapability
	switch r := call.Request.(type) {
	case interface {
		GetVolumeCapabilities() []*csi.VolumeCapability
	}:
		given = r.GetVolumeCapabilities()
	case interface{ GetVolumeCapability() *csi.VolumeCapability }:
		given = append(given, r.GetVolumeCapability())
	}
	if !slices.ContainsFunc(given, unsupported) {
		return call.Perform(ctx)
	}
	const why = "volumes of this access type or mode are not supported"
	switch call.Request.(type) {
	case *csi.ValidateVolumeCapabilitiesRequest:
		_, err := call.Perform(ctx)
		return &csi.ValidateVolumeCapabilitiesResponse{Message: why}, err
	case *csi.GetCapacityRequest:
		_, err := call.Perform(ctx)
		return &csi.GetCapacityResponse{}, err
	default:
		return nil, status.Error(codes.InvalidArgument, why)
	}
}

// unstaged simulates a driver whose nodes publish volumes without staging them. Behind it, each publication is
// staged in a separate directory.
type unstaged struct {
	dir string
}

// keep records where the driver has its files.
func (u *unstaged) keep(o *embedded.Options) { u.dir = filepath.Join(o.Dir, "staged") }

func (u *unstaged) fault() mutation.Fault {
	return mutation.Lacking(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME).And(mutation.On(u.publish)).And(mutation.On(u.unpublish))
}

// at returns the staging path of a publication.
func (u *unstaged) at(target string) string {
	sum := sha256.Sum256([]byte(target))
	return filepath.Join(u.dir, hex.EncodeToString(sum[:8]))
}

func (u *unstaged) publish(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if r.GetTargetPath() == "" {
		return nil, status.Error(codes.InvalidArgument, "target_path is required and was empty")
	}
	r.StagingTargetPath = u.at(r.GetTargetPath())
	if err := os.MkdirAll(r.GetStagingTargetPath(), 0o700); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	if _, err := right.NodeStageVolume(ctx, &csi.NodeStageVolumeRequest{
		VolumeId: r.GetVolumeId(), PublishContext: r.GetPublishContext(), StagingTargetPath: r.GetStagingTargetPath(),
		VolumeCapability: r.GetVolumeCapability(), VolumeContext: r.GetVolumeContext(),
	}); err != nil {
		return nil, err
	}
	return right.NodePublishVolume(ctx, r)
}

func (u *unstaged) unpublish(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	response, err := right.NodeUnpublishVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	_, err = right.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: u.at(r.GetTargetPath())})
	return response, err
}
