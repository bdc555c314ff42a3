package sanity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// amender adds what csi-sanity does not know to its requests: the segment, the run's name and the profile's secrets.
type amender struct {
	target  *harness.Target
	segment model.Segment
}

// intercept sends an amended copy: csi-sanity compares answers with the very request that it sent.
func (a amender) intercept(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	if message, ok := request.(proto.Message); ok {
		request = a.amended(message)
	}
	return invoke(ctx, method, request, reply, conn, options...)
}

func (a amender) amended(message proto.Message) proto.Message {
	switch r := proto.Clone(message).(type) {
	case *csi.CreateVolumeRequest:
		r.Name = a.name(r.GetName())
		if len(a.segment) > 0 && r.AccessibilityRequirements == nil {
			r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: harness.Topologies(model.Set{a.segment})}
		}
		return a.withSecrets(r)
	case *csi.CreateSnapshotRequest:
		r.Name = a.name(r.GetName())
		return a.withSecrets(r)
	default:
		return a.withSecrets(r)
	}
}

// name puts the run's name before one that csi-sanity gave, where it fits: a name of the greatest length is one of its
// cases, and so is an empty one.
func (a amender) name(given string) string {
	const longest = 128 // bytes, GEN-04
	if named := "csi-topo-" + a.target.Run + "-" + given; given != "" && len(named) <= longest {
		return named
	}
	return given
}

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
