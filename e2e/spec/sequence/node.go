// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
)

// callOfNode returns a call at a node. Steps that a CO does not take are left out: a CO brings a volume to a node that
// reaches it and to which the controller has published it, stages it before it publishes it at a path, and takes it
// away in the reverse order.
func (s *sequence) callOfNode(ctx context.Context, v *volume, node *harness.Node, step Step) (c call, meant bool) {
	a := v.at(node)
	path := step.Path % paths
	stages := node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
	switch step.Move {
	case Stage:
		if !stages || !s.isBrought(v, node) {
			return call{}, false
		}
		return s.stage(ctx, v, v.beAt(node)), true
	case Unstage:
		if a == nil || a.staging == nil || a.isMounted() {
			return call{}, false
		}
		return s.unstage(v, a), true
	case Mount:
		if stages && (a == nil || !a.staged) || !s.isBrought(v, node) {
			return call{}, false
		}
		return s.mount(ctx, v, v.beAt(node), path, step.ReadOnly), true
	case Unmount:
		if a == nil || a.mounts[path].request == nil {
			return call{}, false
		}
		return s.unmount(v, a, path), true
	case Stats:
		if a == nil || a.mounts[path].request == nil || !node.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS) {
			return call{}, false
		}
		return s.stats(ctx, v, a, path), true
	default:
		if a == nil || !a.mounts[path].done || a.mounts[path].request.GetReadonly() || !node.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME) {
			return call{}, false
		}
		return s.growOnNode(v, a, path), true
	}
}

// isBrought reports whether a CO has made the calls that it makes before the node uses a volume, for writing: data must
// have been written before it can be read.
func (s *sequence) isBrought(v *volume, node *harness.Node) bool {
	reaching, _ := publication.Reaching(s.driver, v.topology)
	if !v.exists || !slices.Contains(reaching, node) || s.isRead(v) {
		return false
	}
	if !s.driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		elsewhere := func(a *attachment) bool { return a.node != node && a.isUsed() }
		return s.isOfSeveral(v) || !slices.ContainsFunc(v.on, elsewhere)
	}
	a := v.at(node)
	return a != nil && a.published && !a.readOnly
}

// stage stages the volume at its earlier staging path, if it has one.
func (s *sequence) stage(ctx context.Context, v *volume, a *attachment) call {
	request := proto.CloneOf(a.staging)
	if a.staging == nil {
		request = publication.StageRequest(ctx, a.node, v.message(), a.publishContext)
		if v.form == Longest {
			request.StagingTargetPath = longStaging(ctx, a.node, request.GetStagingTargetPath())
		}
		request.VolumeCapability = s.capability(v.is)
	}
	request.PublishContext = a.publishContext
	return callOf(a.node.NodeStageVolume, request, func(_ context.Context, _ *csi.NodeStageVolumeResponse, err error) outcome {
		o := outcomeOf(fmt.Sprintf("NodeStageVolume of %s at %s", v.name, a.node), err)
		if a.staged {
			o.state = "the volume is staged at the path"
			o.ok(err, "NS-04", "a volume that is staged at the path in the same way is OK")
		} else {
			clause, why := ofPath(request.GetStagingTargetPath(), "NS-01", "the volume is accessible from the node, and is staged there")
			s.judgeUse(&o, v, err, clause, why)
		}
		if err == nil {
			a.staging, a.staged = request, true
		}
		return o
	}).of(v)
}

// judgeUse judges the first use of a volume on a node. What a node can do with a copy, or with a volume that several
// nodes have, does not depend on the driver alone.
func (s *sequence) judgeUse(o *outcome, v *volume, err error, clause, why string) {
	if v.is.use == Plain && v.is.source == nil {
		o.ok(err, clause, why)
	} else {
		o.betterOK(err, clause, why)
	}
}

func (s *sequence) unstage(v *volume, a *attachment) call {
	request := &csi.NodeUnstageVolumeRequest{VolumeId: a.staging.GetVolumeId(), StagingTargetPath: a.staging.GetStagingTargetPath()}
	return callOf(a.node.NodeUnstageVolume, request, func(ctx context.Context, _ *csi.NodeUnstageVolumeResponse, err error) outcome {
		o := outcomeOf(fmt.Sprintf("NodeUnstageVolume of %s at %s", v.name, a.node), err)
		if a.staged {
			o.ok(err, "NS-06", "NodeUnstageVolume undoes what NodeStageVolume did")
		} else {
			o.state = "the volume is not staged"
			o.ok(err, "NS-09", "a volume that is not staged at the path is OK")
		}
		if a.staged && err == nil && !s.driver.Profile().FakeNodes {
			if evidence := data.IsStaged(ctx, a.node, a.staging); evidence != "" {
				o.wrong("NS-06", "NodeUnstageVolume undoes what NodeStageVolume did, and the volume is still at %s: %s", request.GetStagingTargetPath(), evidence)
			}
		}
		a.staged = a.staged && err != nil
		return o
	}).of(v)
}

// mount publishes the volume at its earlier target path, if it has one. While it is there, it repeats the call
// unchanged.
func (s *sequence) mount(ctx context.Context, v *volume, a *attachment, path int, readOnly bool) call {
	staging := a.staging
	if staging == nil { // nodes that stage nothing know only this
		staging = &csi.NodeStageVolumeRequest{VolumeId: v.id, PublishContext: a.publishContext, VolumeContext: v.context, VolumeCapability: s.capability(v.is)}
	}
	at := &a.mounts[path]
	request := proto.CloneOf(at.request)
	if at.request == nil {
		request = publication.Request(ctx, a.node, staging)
		switch first := a.mounts[0].request.GetTargetPath(); {
		case path > 0 && len(first) == longest: // a path that begins with the first, and that nodes need not accept
			request.TargetPath = first + strconv.Itoa(path+1)
		case v.form == Longest || path > 0:
			request.TargetPath = longTarget(ctx, a.node, request.GetTargetPath())
		}
	}
	if !at.done {
		request.PublishContext, request.Readonly = a.publishContext, readOnly
	}
	return callOf(a.node.NodePublishVolume, request, func(ctx context.Context, _ *csi.NodePublishVolumeResponse, err error) outcome {
		o := outcomeOf(fmt.Sprintf("NodePublishVolume of %s at %s%s, readonly = %t", v.name, a.node, nameOf(path), request.GetReadonly()), err)
		again, beside := at.done, a.isMounted()
		switch {
		case again:
			o.state = "the volume is published at the path"
			o.ok(err, "NS-13", "a volume that is published at the path in the same way is OK")
		case beside:
			o.state = "the volume is published at another path of the node"
			s.judgeSecondMount(&o, v, err)
		default:
			s.judgeMount(&o, v, request, err)
		}
		if err == nil {
			if again {
				at.request = request
			} else {
				*at = mounting{request: request, done: true}
			}
			v.written = v.written || !request.GetReadonly()
			s.checkData(ctx, &o, v, !again)
		}
		return o
	}).of(v)
}

// nameOf describes the path in words; the first has none.
func nameOf(path int) string {
	if path == 0 {
		return ""
	}
	return fmt.Sprintf(" at target path %d", path+1)
}

// judgeSecondMount judges a publication in addition to one at another path. A table of SHOULDs defines the answer.
func (s *sequence) judgeSecondMount(o *outcome, v *volume, err error) {
	if s.isOfSeveral(v) || v.is.use == Pods {
		o.betterOK(err, "NS-14", "a volume that several may use can be published at several paths of a node")
		return
	}
	o.open()
}

// judgeMount judges the first publication at a path. A plugin need not make a file system for a reader: a volume that
// was never published for writing may have none.
func (s *sequence) judgeMount(o *outcome, v *volume, request *csi.NodePublishVolumeRequest, err error) {
	const why = "the volume can be used by the node, and is published there"
	switch isBlock := request.GetVolumeCapability().GetBlock() != nil; {
	case isBlock && request.GetReadonly(): // not every driver can publish a device read-only that is staged for writing
		o.betterOK(err, "NS-19", why, codes.FailedPrecondition)
	case isBlock:
		s.judgeUse(o, v, err, "NS-19", why)
	case request.GetReadonly() && !v.written:
		o.betterOK(err, "NS-21", why)
	default:
		clause, why := ofPath(request.GetTargetPath(), "NS-20", why)
		s.judgeUse(o, v, err, clause, why)
	}
}

// longStaging returns a staging path that is as long as all nodes must accept, or the usual path if the root of all
// paths is longer.
func longStaging(ctx context.Context, node *harness.Node, usual string) string {
	if long := node.LongPath(ctx, longest); len(long) == longest {
		return long
	}
	return usual
}

// longTarget returns a target path that is as long as all nodes must accept, or the usual path if the root of all paths
// is longer.
func longTarget(ctx context.Context, node *harness.Node, usual string) string {
	name := "/" + filepath.Base(usual)
	if long := node.LongPath(ctx, longest-len(name)) + name; len(long) == longest {
		return long
	}
	return usual
}

// ofPath returns the clause that requires a call at the path to succeed, and the reason. The given ones are for a path of
// the usual length.
func ofPath(at, clause, why string) (string, string) {
	if len(at) == longest {
		return "NS-18", "nodes accept paths of 128 bytes, and " + why
	}
	return clause, why
}

func (s *sequence) unmount(v *volume, a *attachment, path int) call {
	at := &a.mounts[path]
	request := &csi.NodeUnpublishVolumeRequest{VolumeId: at.request.GetVolumeId(), TargetPath: at.request.GetTargetPath()}
	return callOf(a.node.NodeUnpublishVolume, request, func(ctx context.Context, _ *csi.NodeUnpublishVolumeResponse, err error) outcome {
		o := outcomeOf(fmt.Sprintf("NodeUnpublishVolume of %s at %s%s", v.name, a.node, nameOf(path)), err)
		if !at.done {
			o.state = "the volume is not published at the path"
		}
		o.ok(err, "NS-16", "NodeUnpublishVolume undoes what NodePublishVolume did, and is OK if nothing is left to undo")
		if err == nil && at.done && !s.driver.Profile().FakeNodes && a.node.Exists(ctx, request.GetTargetPath()) {
			o.wrong("NS-29", "the plugin deletes what it created at target_path, and something is there")
		}
		at.done = at.done && err != nil
		if err == nil {
			s.checkData(ctx, &o, v, false)
		}
		return o
	}).of(v)
}

// growOnNode makes the node give a workload the current size of the volume.
func (s *sequence) growOnNode(v *volume, a *attachment, path int) call {
	request := growth.NodeRequest(a.node, a.mounts[path].request, v.bytes)
	return callOf(a.node.NodeExpandVolume, request, func(ctx context.Context, _ *csi.NodeExpandVolumeResponse, err error) outcome {
		o := outcomeOf(fmt.Sprintf("NodeExpandVolume of %s at %s to %d bytes", v.name, a.node, v.bytes), err)
		const why = "the controller has grown the volume to the size that the node is to grow it to"
		at := &a.mounts[path]
		switch code := status.Code(err); {
		case at.grown == v.bytes:
			o.ok(err, "NE-02", "NodeExpandVolume is idempotent, and the node has grown the volume to that size before")
		case !v.grown:
			o.betterOK(err, "NE-03", "a volume that is large enough is OK")
		case code == codes.OutOfRange || code == codes.ResourceExhausted || code == codes.Unimplemented:
			o.ok(err, "NE-01", why)
		default:
			o.betterOK(err, "NE-01", why)
		}
		if err == nil {
			at.grown, v.ungrown = v.bytes, 0
			s.checkData(ctx, &o, v, false)
		}
		return o
	}).of(v)
}
