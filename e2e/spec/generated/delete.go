package generated

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

// delete deletes a volume, which is OK when it is deleted already, and refused while it is published.
func (s *sequence) delete(ctx context.Context, v *volume) outcome {
	_, err := s.under.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: v.id, Secrets: s.under.Profile().Secrets.DeleteVolume})
	o := outcomeOf("DeleteVolume of "+v.name, err)
	switch {
	case v.exists && v.node != nil:
		o.state = "the volume is published to " + v.node.String()
		o.refusedWith(err, "DV-05", "a volume that is in use is not deleted", codes.FailedPrecondition)
	case v.exists:
		o.ok(err, "DV-01", "the volume is deleted")
	default:
		o.state = "the volume is deleted already"
		o.ok(err, "DV-02", "a volume that does not exist is as good as deleted")
	}
	if err == nil && v.exists {
		v.exists, s.deleted[v.id] = false, true
		s.room.take(v.segments, -v.bytes)
	}
	return o
}
