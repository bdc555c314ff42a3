// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// amender completes csi-sanity's requests with data that csi-sanity does not have: the segment, names of the run, and the
// profile's access modes, file systems and secrets.
type amender struct {
	target  *harness.Target
	segment model.Segment
	number  int              // of the run among the runs in all segments
	sizes   map[string]int64 // of volumes and snapshots, by id
	// contexts holds the volume_context of volumes, by id.
	contexts map[string]map[string]string
}

// amended returns a completed copy of a request.
func (a amender) amended(message proto.Message) proto.Message {
	sent := proto.Clone(message)
	switch r := sent.(type) {
	case *csi.CreateVolumeRequest:
		r.Name = a.name(r.GetName())
		if len(a.segment) > 0 { // csi-sanity knows one form of requirement
			r.AccessibilityRequirements = a.target.RequirementIn(a.segment)
		}
		a.enlarge(r)
		a.asDescribed(r.GetVolumeCapabilities()...)
	case *csi.GetCapacityRequest:
		if len(r.GetParameters()) == 0 { // as Kubernetes does for each StorageClass
			r.Parameters, _ = a.target.Profile.Parameters(1)
		}
	case *csi.CreateSnapshotRequest:
		r.Name = a.name(r.GetName())
	case *csi.CreateVolumeGroupSnapshotRequest:
		r.Name = a.name(r.GetName())
	case *csi.ValidateVolumeCapabilitiesRequest:
		r.VolumeContext = a.contextOf(r)
		a.asDescribed(r.GetVolumeCapabilities()...)
	case *csi.ControllerPublishVolumeRequest:
		r.VolumeContext = a.contextOf(r)
		a.asDescribed(r.GetVolumeCapability())
	case *csi.NodeStageVolumeRequest:
		r.VolumeContext = a.contextOf(r)
		a.asDescribed(r.GetVolumeCapability())
	case *csi.NodePublishVolumeRequest:
		r.VolumeContext = a.contextOf(r)
		a.asDescribed(r.GetVolumeCapability())
	case interface{ GetVolumeCapability() *csi.VolumeCapability }:
		a.asDescribed(r.GetVolumeCapability())
	}
	return a.withSecrets(sent)
}

// contextOf returns the volume_context for a request about a volume. If csi-sanity leaves it out, it is the volume's own,
// which a CO must pass on (VOL-13).
func (a amender) contextOf(r interface {
	GetVolumeId() string
	GetVolumeContext() map[string]string
}) map[string]string {
	if len(r.GetVolumeContext()) > 0 {
		return r.GetVolumeContext()
	}
	return a.contexts[r.GetVolumeId()]
}

// enlarge makes a copy at least as large as its source, which a driver may have rounded up.
func (a amender) enlarge(r *csi.CreateVolumeRequest) {
	source := r.GetVolumeContentSource()
	size := max(a.sizes[source.GetSnapshot().GetSnapshotId()], a.sizes[source.GetVolume().GetVolumeId()])
	if capacity := r.GetCapacityRange(); capacity.GetRequiredBytes() < size {
		capacity.RequiredBytes = size
	}
}

// learn remembers the size of a new volume or snapshot, and the volume_context of volumes.
func (a amender) learn(request, response proto.Message) {
	switch r := response.(type) {
	case *csi.CreateVolumeResponse:
		a.sizes[r.GetVolume().GetVolumeId()] = r.GetVolume().GetCapacityBytes()
		a.contexts[r.GetVolume().GetVolumeId()] = r.GetVolume().GetVolumeContext()
	case *csi.CreateSnapshotResponse:
		of := request.(*csi.CreateSnapshotRequest).GetSourceVolumeId()
		a.sizes[r.GetSnapshot().GetSnapshotId()] = max(r.GetSnapshot().GetSizeBytes(), a.sizes[of])
	}
}

const (
	longestString = 128 // bytes, GEN-04
	longestLabel  = 63  // of RFC 1035
)

// name makes a name from csi-sanity unique to this run: it begins with the run's name, and is short enough for many storage
// systems. A name of maximum length keeps its length, which its case is about; an empty name stays empty.
func (a amender) name(given string) string {
	if given == "" {
		return ""
	}
	named := fmt.Sprintf("%s-%d-%s", a.target.Profile.Names(a.target.Run), a.number, given)
	if len(given) == longestString {
		return named[:longestString]
	}
	named = strings.ToLower(named)
	if len(named) > longestLabel {
		const letters = 8
		sum := sha256.Sum256([]byte(named))
		named = named[:longestLabel-letters-1] + "-" + hex.EncodeToString(sum[:])[:letters]
	}
	return named
}

// asDescribed sets the profile's file system if csi-sanity names none, and the profile's access mode in place of
// csi-sanity's in cases that are not about access modes.
func (a amender) asDescribed(capabilities ...*csi.VolumeCapability) {
	for _, c := range capabilities {
		if mount := c.GetMount(); mount != nil && mount.FsType == "" {
			mount.FsType = a.target.Profile.FsType
		}
		if c.GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER {
			c.AccessMode.Mode = a.target.Profile.Plain().Mode()
		}
	}
}

// withSecrets adds the profile's secrets for the call.
func (a amender) withSecrets(message proto.Message) proto.Message {
	secrets := secretsOf(a.target.Profile.Secrets, message)
	field := message.ProtoReflect().Descriptor().Fields().ByName("secrets")
	if len(secrets) == 0 || field == nil {
		return message
	}
	sent := message.ProtoReflect().Mutable(field).Map()
	for key, value := range secrets {
		sent.Set(protoreflect.ValueOfString(key).MapKey(), protoreflect.ValueOfString(value))
	}
	return message
}

func secretsOf(s profile.Secrets, message proto.Message) map[string]string {
	switch message.(type) {
	case *csi.CreateVolumeRequest:
		return s.CreateVolume
	case *csi.DeleteVolumeRequest:
		return s.DeleteVolume
	case *csi.ControllerPublishVolumeRequest:
		return s.ControllerPublishVolume
	case *csi.ControllerUnpublishVolumeRequest:
		return s.ControllerUnpublishVolume
	case *csi.ValidateVolumeCapabilitiesRequest:
		return s.ValidateVolume
	case *csi.ControllerExpandVolumeRequest:
		return s.ControllerExpandVolume
	case *csi.ControllerModifyVolumeRequest:
		return s.ControllerModifyVolume
	case *csi.CreateSnapshotRequest:
		return s.CreateSnapshot
	case *csi.DeleteSnapshotRequest:
		return s.DeleteSnapshot
	case *csi.ListSnapshotsRequest:
		return s.ListSnapshots
	case *csi.NodeStageVolumeRequest:
		return s.NodeStageVolume
	case *csi.NodePublishVolumeRequest:
		return s.NodePublishVolume
	case *csi.NodeExpandVolumeRequest:
		return s.NodeExpandVolume
	default:
		return nil
	}
}
