package generated

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// publish publishes a volume for one writing node to a node. Of several things that stand in the way, the driver may
// name any.
func (s *sequence) publish(ctx context.Context, v *volume, node *harness.Node) outcome {
	request := s.under.ControllerPublishVolumeRequest(v.message(), node)
	response, err := s.under.Controller.ControllerPublishVolume(ctx, request)
	o := outcomeOf(fmt.Sprintf("ControllerPublishVolume of %s to %s", v.name, node), err)
	if v.exists {
		o.state = fmt.Sprintf("the volume is accessible from %s, and the node is in %s", v.segments, node.Segment)
	}
	if v.node != nil {
		o.state += "; the volume is published to " + v.node.String()
	}
	again := v.node == node
	switch reaching, _ := s.under.Reaching(v.topology); {
	case !v.exists:
		o.state = "the volume is deleted"
		o.refusedWith(err, "CP-31", "a volume that does not exist is NOT_FOUND", codes.NotFound)
	case again:
		o.ok(err, "CP-05", "a volume that is published to the node already is OK")
	case !slices.Contains(reaching, node):
		o.refusedWith(err, "CP-12", "a node from which the volume is not accessible cannot use it, whatever the code")
	case v.node != nil && s.isFull(node):
		o.refusedWith(err, "CP-34", "the volume is published to another node, and the node has as many as it may", codes.FailedPrecondition, codes.ResourceExhausted)
	case v.node != nil:
		o.refusedWith(err, "CP-34", "a volume for one node that is published to another is FAILED_PRECONDITION", codes.FailedPrecondition)
	case s.isFull(node):
		o.refusedWith(err, "CP-36", "a node that has as many volumes as it may is RESOURCE_EXHAUSTED", codes.ResourceExhausted)
	default:
		o.ok(err, "CP-11", "nothing stands in the way of the volume's use by the node")
	}
	if err != nil {
		return o
	}
	o.wrong(again && !maps.Equal(response.GetPublishContext(), v.publishContext), "CP-22", "publish_context is the same when a call is repeated")
	v.node, v.publishContext = node, response.GetPublishContext()
	return o
}

// node is that of the number, counted from those that reach the volume.
func (s *sequence) node(v *volume, number int) *harness.Node {
	reaching, others := s.under.Reaching(v.topology)
	return append(reaching, others...)[number]
}

// isFull reports whether the node has as many of the sequence's volumes as NodeGetInfo says that it may have.
func (s *sequence) isFull(node *harness.Node) bool {
	published := int64(0)
	for _, v := range s.volumes {
		if v.node == node {
			published++
		}
	}
	return node.MaxVolumes > 0 && published >= node.MaxVolumes
}

// unpublish unpublishes a volume from a node, which is OK where it is not published.
func (s *sequence) unpublish(ctx context.Context, v *volume, node *harness.Node) outcome {
	_, err := s.under.Controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{
		VolumeId: v.id,
		NodeId:   node.ID,
		Secrets:  s.under.Profile().Secrets.ControllerUnpublishVolume,
	})
	o := outcomeOf(fmt.Sprintf("ControllerUnpublishVolume of %s from %s", v.name, node), err)
	if v.node != nil {
		o.state = "the volume is published to " + v.node.String()
	}
	if v.exists {
		o.ok(err, "CU-06", "a volume that is not published to the node any more is OK")
	} else {
		o.either(err, "CU-17", "a volume that does not exist is OK, or NOT_FOUND", codes.NotFound)
	}
	if err == nil && v.node == node {
		v.node, v.publishContext = nil, nil
	}
	return o
}
