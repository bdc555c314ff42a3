// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
)

// publish publishes a volume to a node, with the use that it was created for.
func (s *sequence) publish(v *volume, node *harness.Node, readOnly bool) call {
	request := publication.AttachRequest(s.driver, v.message(), node)
	request.VolumeCapability = s.capability(v.is)
	request.Readonly = s.driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY) && (readOnly || s.isRead(v))
	return callOf(s.driver.Controller.ControllerPublishVolume, request, func(ctx context.Context, response *csi.ControllerPublishVolumeResponse, err error) outcome {
		o := outcomeOf(describePublication(v, node, request.GetReadonly()), err)
		present := v.at(node)
		again := present != nil && present.published && present.readOnly == request.GetReadonly()
		if takeBack := s.judgePublication(ctx, &o, v, node, request.GetReadonly(), err); takeBack {
			return s.takeBack(ctx, o, v, node)
		}
		if err != nil || !v.exists {
			return o
		}
		if again && !maps.Equal(response.GetPublishContext(), present.publishContext) {
			o.wrong("CP-22", "publish_context is the same when a call is repeated")
		}
		a := v.beAt(node)
		a.published, a.readOnly, a.publishContext, a.outlasts = true, request.GetReadonly(), response.GetPublishContext(), false
		return o
	}).needing(v)
}

func describePublication(v *volume, node *harness.Node, readOnly bool) string {
	text := fmt.Sprintf("ControllerPublishVolume of %s to %s", v.name, node)
	if readOnly {
		text += ", read-only"
	}
	return text
}

// judgePublication judges a publication. If several things prevent it, the driver may name any. It reports whether the
// volume has to be taken back from a node where it should not be.
func (s *sequence) judgePublication(ctx context.Context, o *outcome, v *volume, node *harness.Node, readOnly bool, err error) (takeBack bool) {
	reaching, _ := publication.Reaching(s.driver, v.topology)
	present := v.at(node)
	here := present != nil && present.published
	elsewhere := slices.DeleteFunc(v.nodes(), func(n *harness.Node) bool { return n == node })
	o.state = fmt.Sprintf("the volume is accessible from %s, and the node is in %s", v.segments, node.Segment)
	if nodes := v.nodes(); len(nodes) > 0 {
		o.state += fmt.Sprintf("; the volume is published to %s", nodes)
	}
	// The node may also have reached its limit of volumes: if two rows hold, neither takes precedence.
	var full []codes.Code
	if node.MaxVolumes > 0 {
		full = []codes.Code{codes.ResourceExhausted}
	}
	switch {
	case !v.exists:
		o.state = "the volume is deleted"
		o.refused(err, "CP-31", "a volume that does not exist is NOT_FOUND", append(full, codes.NotFound)...)
	case here && present.readOnly == readOnly:
		o.ok(err, "CP-05", "a volume that is published to the node already is OK")
	case here:
		o.refused(err, "CP-33", "a volume that is published to the node in another way is ALREADY_EXISTS", append(full, codes.AlreadyExists)...)
	case !slices.Contains(reaching, node):
		o.refused(err, "CP-12", "a node from which the volume is not accessible cannot use it, whatever the code")
	case s.isFull(node):
		o.betterRefused(err, "CP-36", "a node that has as many volumes as it may have is RESOURCE_EXHAUSTED", codes.ResourceExhausted, s.besides(v, elsewhere))
	case len(elsewhere) > 0 && s.isOfSeveral(v):
		o.ok(err, "CP-11", "several nodes may have the volume at the same time, unless the node is full", codes.ResourceExhausted)
	case len(elsewhere) > 0 && s.isOfOneWriter(v):
		o.ok(err, "CP-11", "several nodes may have the volume at the same time, if one writes to it at most", codes.FailedPrecondition, codes.ResourceExhausted)
	case len(elsewhere) > 0 && err == nil && s.exclusive[v.publishable()]:
		o.refused(err, "CP-34", "a volume for one node that is published to another is FAILED_PRECONDITION, as the driver answered for another volume", codes.FailedPrecondition)
		return true
	case len(elsewhere) > 0 && err == nil && s.confirmsSeveral(ctx, v):
		o.betterRefused(err, "CP-34", "a volume for one node is published to another, though ValidateVolumeCapabilities confirms that several may use it")
		return true
	case len(elsewhere) > 0:
		// Others may have volumes on the node, so that it is full.
		o.refused(err, "CP-34", "a volume for one node that is published to another is FAILED_PRECONDITION", codes.FailedPrecondition, codes.ResourceExhausted)
		if status.Code(err) == codes.FailedPrecondition {
			s.exclusive[v.publishable()] = true
		}
	default:
		o.ok(err, "CP-11", "nothing stands in the way of the volume's use by the node, unless others have volumes on it", codes.ResourceExhausted)
	}
	return false
}

// publishable decides whether several nodes may have a volume at the same time: by its use, and by its number of
// segments.
type publishable struct {
	use      Use
	segments int
}

func (v *volume) publishable() publishable { return publishable{v.is.use, len(v.segments)} }

// besides returns FAILED_PRECONDITION if the volume is published to other nodes and cannot be published to one more, and
// RESOURCE_EXHAUSTED otherwise.
func (s *sequence) besides(v *volume, elsewhere []*harness.Node) codes.Code {
	if len(elsewhere) > 0 && !s.isOfSeveral(v) {
		return codes.FailedPrecondition
	}
	return codes.ResourceExhausted
}

// confirmsSeveral reports whether the driver confirms that several nodes may use the volume.
func (s *sequence) confirmsSeveral(ctx context.Context, v *volume) bool {
	several := messages.As(s.capability(v.is), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
	response, err := s.driver.Controller.ValidateVolumeCapabilities(ctx, s.validation(v, several))
	return err == nil && response.GetConfirmed() != nil
}

// takeBack unpublishes the volume from a node that should not have it.
func (s *sequence) takeBack(ctx context.Context, o outcome, v *volume, node *harness.Node) outcome {
	if _, err := s.driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(s.driver, v.message(), node)); err != nil {
		o.lost = true // the nodes of the volume are not known any more
	}
	return o
}

// isFull reports whether the node has as many of the sequence's volumes as NodeGetInfo allows.
func (s *sequence) isFull(node *harness.Node) bool {
	return node.MaxVolumes > 0 && s.published(node) >= node.MaxVolumes
}

// published returns the number of the sequence's volumes that are published to the node.
func (s *sequence) published(node *harness.Node) int64 {
	count := int64(0)
	for _, v := range s.volumes {
		if slices.Contains(v.nodes(), node) {
			count++
		}
	}
	return count
}

// unpublish unpublishes a volume from a node, and expects OK if it is not published. A CO does not do that while the
// node has staged it.
func (s *sequence) unpublish(v *volume, node *harness.Node) (c call, meant bool) {
	if v.at(node).isUsed() {
		return call{}, false
	}
	request := publication.DetachRequest(s.driver, v.message(), node)
	return callOf(s.driver.Controller.ControllerUnpublishVolume, request, func(_ context.Context, _ *csi.ControllerUnpublishVolumeResponse, err error) outcome {
		o := outcomeOf(fmt.Sprintf("ControllerUnpublishVolume of %s from %s", v.name, node), err)
		if nodes := v.nodes(); len(nodes) > 0 {
			o.state = fmt.Sprintf("the volume is published to %s", nodes)
		}
		if v.exists {
			o.ok(err, "CU-06", "a volume that is not published to the node any more is OK")
		} else {
			o.ok(err, "CU-17", "a volume that does not exist is OK, or NOT_FOUND", codes.NotFound)
		}
		if err != nil {
			return o
		}
		for _, a := range v.on {
			if a.node == node {
				a.published, a.publishContext = false, nil
			} else {
				a.outlasts = true
			}
		}
		return o
	}).of(v), true
}
