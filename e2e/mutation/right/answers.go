// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func answering() []Driver {
	return []Driver{
		{Name: "large-pages",
			Is:     "has pages of at least five entries, like Amazon EC2, and answers INVALID_ARGUMENT to requests for smaller pages",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.Refusing(refusesSmallPages)}},
		{Name: "node-knows-no-ids",
			Is:     "has a node plugin that sees devices and mount points, and does not know which volumes exist",
			Driver: mutation.Driver{Profile: exactDisks, Fault: nodeWithoutIDs()}},
		{Name: "internal-elsewhere", Is: "answers INTERNAL wherever no row of an error table applies",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.OnAll(internalElsewhere)}},
		{
			Name: "bare-unimplemented",
			Is:   "answers UNIMPLEMENTED without a message for the RPCs that it does not have, as the generated code of many languages does",
			Driver: mutation.Driver{Profile: disks, Fault: mutation.OnAll(bareUnimplemented).Over(mutation.Lacking(
				csi.ControllerServiceCapability_RPC_GET_CAPACITY,
				csi.ControllerServiceCapability_RPC_LIST_VOLUMES,
				csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES,
				csi.ControllerServiceCapability_RPC_GET_VOLUME,
				csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH,
				csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH))},
		},
		{Name: "confirms-one-mode",
			Is:     "confirms SINGLE_NODE_WRITER only in ValidateVolumeCapabilities, though volumes can do more",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.On(confirmOneMode)}},
		{Name: "attaches-without-limit",
			Is: "leaves the limit of a node to the scheduler, and attaches every volume to several nodes",
			Driver: mutation.Driver{Profile: exactDisks, Options: func(o *embedded.Options) { o.MaxVolumesPerNode = 0 },
				Fault: (&attachments{}).fault()}},
		{
			Name: "cloud-disks",
			Is: "has the disks of a cloud: no capacity, no read-only attachments; staging a block device does nothing; a volume that is attached or published " +
				"already is OK, whether or not the request matches",
			Given: []Endpoints{All, OneNode, Controller}, // the most common shape
			Driver: mutation.Driver{Profile: disks, Fault: (&cloud{}).fault().Over(mutation.Lacking(
				csi.ControllerServiceCapability_RPC_GET_CAPACITY, csi.ControllerServiceCapability_RPC_PUBLISH_READONLY))},
		},
	}
}

// nodeWithoutIDs simulates nodes that find no device for a nonexistent volume, have nothing to undo for it, and report the
// usage of any directory.
func nodeWithoutIDs() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		response, err := call.Perform(ctx)
		if status.Code(err) != codes.NotFound {
			return response, err
		}
		noDevice := status.Error(codes.Internal, "there is no device for the volume")
		switch r := call.Request.(type) {
		case *csi.NodeStageVolumeRequest, *csi.NodePublishVolumeRequest:
			return nil, noDevice
		case *csi.NodeUnstageVolumeRequest:
			return &csi.NodeUnstageVolumeResponse{}, nil
		case *csi.NodeUnpublishVolumeRequest:
			return &csi.NodeUnpublishVolumeResponse{}, nil
		case *csi.NodeExpandVolumeRequest:
			if there(r.GetVolumePath()) {
				return nil, noDevice
			}
		case *csi.NodeGetVolumeStatsRequest:
			if there(r.GetVolumePath()) {
				const total = 1 << 30
				return &csi.NodeGetVolumeStatsResponse{Usage: []*csi.VolumeUsage{{Unit: csi.VolumeUsage_BYTES, Total: total, Available: total}}}, nil
			}
		}
		return nil, err
	})
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// rows holds the codes of the RPCs' error tables, in addition to the codes for all RPCs.
var rows = map[string][]codes.Code{
	"CreateVolume":               {codes.NotFound, codes.AlreadyExists, codes.ResourceExhausted, codes.OutOfRange},
	"DeleteVolume":               {codes.FailedPrecondition},
	"ControllerPublishVolume":    {codes.NotFound, codes.AlreadyExists, codes.FailedPrecondition, codes.ResourceExhausted},
	"ControllerUnpublishVolume":  {codes.NotFound},
	"ValidateVolumeCapabilities": {codes.NotFound},
	"ControllerGetVolume":        {codes.NotFound},
	"CreateVolumeGroupSnapshot":  {codes.AlreadyExists, codes.FailedPrecondition, codes.ResourceExhausted},
	"DeleteVolumeGroupSnapshot":  {codes.FailedPrecondition},
	"GetVolumeGroupSnapshot":     {codes.NotFound},
	"ControllerGetVolumeHealth":  {codes.NotFound},
	"ControllerModifyVolume":     {codes.NotFound},
	"ControllerExpandVolume":     {codes.NotFound, codes.FailedPrecondition, codes.OutOfRange},
	"CreateSnapshot":             {codes.AlreadyExists, codes.ResourceExhausted},
	"DeleteSnapshot":             {codes.FailedPrecondition},
	"GetSnapshot":                {codes.NotFound},
	"NodeStageVolume":            {codes.NotFound, codes.AlreadyExists, codes.FailedPrecondition},
	"NodeUnstageVolume":          {codes.NotFound},
	"NodePublishVolume":          {codes.NotFound, codes.AlreadyExists, codes.FailedPrecondition},
	"NodeUnpublishVolume":        {codes.NotFound},
	"NodeGetVolumeStats":         {codes.NotFound},
	"NodeGetVolumeHealth":        {codes.NotFound},
	"NodeExpandVolume":           {codes.NotFound, codes.FailedPrecondition, codes.OutOfRange},
}

// forAll holds the codes of the table for all RPCs.
var forAll = []codes.Code{codes.InvalidArgument, codes.PermissionDenied, codes.Aborted, codes.Unimplemented, codes.Unauthenticated}

func internalElsewhere(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
	response, err := call.Perform(ctx)
	code := status.Code(err)
	if err == nil || code == codes.Canceled || code == codes.DeadlineExceeded || ctx.Err() != nil { // a call that its caller gave up has no answer
		return response, err
	}
	applies := slices.Contains(forAll, code) || slices.Contains(rows[path.Base(call.Method)], code)
	message := status.Convert(err).Message()
	switch r := call.Request.(type) {
	case *csi.CreateVolumeRequest: // the row is about a topology
		applies = applies && (code != codes.ResourceExhausted || r.GetAccessibilityRequirements() != nil)
	case *csi.ControllerPublishVolumeRequest: // the row is about a volume that is published on another node
		applies = applies && !strings.Contains(message, "is accessible from")
	case *csi.NodePublishVolumeRequest: // the row is about a request without a staging path
		applies = applies && !strings.Contains(message, "is not staged")
	}
	if !applies {
		return nil, status.Error(codes.Internal, message)
	}
	return nil, err
}

func bareUnimplemented(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
	response, err := call.Perform(ctx)
	if status.Code(err) == codes.Unimplemented {
		return nil, status.Error(codes.Unimplemented, "")
	}
	return response, err
}

func confirmOneMode(ctx context.Context, right mutation.Right, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	response, err := right.ValidateVolumeCapabilities(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, capability := range r.GetVolumeCapabilities() {
		if mode := capability.GetAccessMode().GetMode(); mode != csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER {
			return &csi.ValidateVolumeCapabilitiesResponse{Message: "only SINGLE_NODE_WRITER is confirmed, and not " + mode.String()}, nil
		}
	}
	return response, nil
}

// attachment is one volume on one node.
type attachment struct{ volume, node string }

// attachments simulates a driver that leaves the number of volumes on a node to the CO, and that can attach any volume to
// any number of nodes that it is accessible from.
type attachments struct {
	mu    sync.Mutex
	modes map[attachment]csi.VolumeCapability_AccessMode_Mode
}

func (a *attachments) fault() mutation.Fault {
	a.modes = map[attachment]csi.VolumeCapability_AccessMode_Mode{}
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		response.MaxVolumesPerNode = mutation.MaxVolumesPerNode
	}).And(mutation.On(a.publish)).And(mutation.On(a.unpublish))
}

// publish attaches a volume for one node to several nodes, but still reports an attachment in another mode (CP-33).
func (a *attachments) publish(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := attachment{r.GetVolumeId(), r.GetNodeId()}
	asked := r.GetVolumeCapability().GetAccessMode()
	mode := asked.GetMode()
	if present, attached := a.modes[at]; attached && present != mode {
		return nil, status.Errorf(codes.AlreadyExists, "volume %q is attached to %q with %s", at.volume, at.node, present)
	}
	switch mode {
	case csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY,
		csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER:
		asked.Mode = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	}
	response, err := right.ControllerPublishVolume(ctx, r)
	if err == nil {
		a.modes[at] = mode
	}
	return response, err
}

func (a *attachments) unpublish(ctx context.Context, right mutation.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
	response, err := right.ControllerUnpublishVolume(ctx, r)
	a.mu.Lock()
	defer a.mu.Unlock()
	for at := range a.modes {
		if err == nil && at.volume == r.GetVolumeId() && (r.GetNodeId() == "" || at.node == r.GetNodeId()) {
			delete(a.modes, at)
		}
	}
	return response, err
}

// refusesSmallPages refuses lists with pages that are smaller than the back end's.
func refusesSmallPages(request proto.Message) error {
	const smallest = 5
	asked, paged := request.(interface{ GetMaxEntries() int32 })
	if !paged || asked.GetMaxEntries() <= 0 || asked.GetMaxEntries() >= smallest {
		return nil
	}
	return status.Errorf(codes.InvalidArgument, "max_entries is %d, and must be %d or more", asked.GetMaxEntries(), smallest)
}
