// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// permitting returns drivers whose behaviour a sentence of the specification without a MUST only seems to forbid.
func permitting() []Driver {
	return []Driver{
		{Name: "formats-for-writers",
			Is: "makes a file system when a volume is first published for writing, and refuses a reader before, like all drivers that use k8s.io/mount-utils",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&formatting{written: map[string]bool{}}).fault(), Target: func(t *harness.Target) {
				t.Steps = 500 // a reader that comes first is rare
			}}},
		{Name: "confirms-all-modes",
			Is:     "confirms everything that the plugin supports in ValidateVolumeCapabilities, as its field is described, and not only what was requested",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.Answering(confirmAllModes)}},
		{Name: "grows-what-is-named",
			Is:     "finds a volume by its volume_id in NodeExpandVolume, like csi-driver-lvm, and does not check whether it is at volume_path",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.Recoding[*csi.NodeExpandVolumeRequest](codes.NotFound, codes.OK)}},
		{Name: "back-end-per-zone",
			Is:     "has a separate back end in each zone, which answers NOT_FOUND for a source in another zone, like exoscale-csi-driver",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.On(findInOwnZone)}},
	}
}

// findInOwnZone answers like a back end whose zone does not have the source. The source's own zone has it, and may be
// full.
func findInOwnZone(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	response, err := right.CreateVolume(ctx, r)
	refused := status.Convert(err)
	if refused.Code() == codes.ResourceExhausted && strings.Contains(refused.Message(), "is out of reach") && !strings.Contains(refused.Message(), "bytes free") {
		return nil, status.Error(codes.NotFound, refused.Message())
	}
	return response, err
}

// formatting simulates a driver that creates file systems on volumes. A copy has the file system of its source.
type formatting struct {
	mu sync.Mutex
	// written records for each volume whether it was published for writing: the node plugin does not look for a file
	// system on a volume that never was.
	written map[string]bool
}

func (f *formatting) fault() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		reads := r.GetReadonly() || messages.ReadsOnly(r.GetVolumeCapability().GetAccessMode().GetMode())
		if reads && r.GetVolumeCapability().GetMount() != nil && f.isBlank(r.GetVolumeId()) {
			return nil, status.Error(codes.Internal, "cannot mount unformatted disk, as it is manipulated in read-only mode")
		}
		response, err := right.NodePublishVolume(ctx, r)
		if err == nil && !reads {
			f.note(r.GetVolumeId(), true)
		}
		return response, err
	}).And(mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
		f.note(v.GetVolumeId(), r.GetVolumeContentSource() != nil)
	})).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.written, r.GetVolumeId())
	}))
}

// isBlank reports whether the volume exists, without a file system.
func (f *formatting) isBlank(volumeID string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	written, found := f.written[volumeID]
	return found && !written
}

// note records a volume. A written volume stays written, even if its creation is repeated.
func (f *formatting) note(volumeID string, written bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.written[volumeID] = f.written[volumeID] || written
}

func confirmAllModes(r *csi.ValidateVolumeCapabilitiesRequest, response *csi.ValidateVolumeCapabilitiesResponse) {
	if response.GetConfirmed() == nil {
		return
	}
	for _, mode := range []csi.VolumeCapability_AccessMode_Mode{
		csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY,
	} {
		response.Confirmed.VolumeCapabilities = append(response.Confirmed.VolumeCapabilities, messages.As(r.GetVolumeCapabilities()[0], mode))
	}
}
