// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// lifeOfAVolume uses a volume in two pods on one node. The second starts after the first, and ends after it: the volume is
// staged once, published for each, and unstaged after both. A driver that does not claim SINGLE_NODE_MULTI_WRITER may
// refuse to publish it at a second path; then one pod uses it. At each step, objects show which component still has work to
// do. The recorded calls are judged at the end, once they are complete.
func lifeOfAVolume() harness.Case {
	return harness.Case{
		ID:   "life_of_a_volume",
		Text: "takes a volume through its life: calls in order, with the node, contexts and paths of earlier calls, and objects that show it",
		Requirements: []string{
			"CP-02", "CP-10", "CP-15", "CP-19", "CP-21", "CP-27", "CU-02", "CU-09", "NI-08", "NS-03", "NS-07", "NS-08", "NS-11", "NS-12", "NS-17", "NS-34", "NS-35", "NS-36", "NS-37",
			"VOL-05", "K8S-I1", "K8S-I2", "K8S-I9", "K8S-I10", "K8S-I13", "K8S-I14", "K8S-O12", "K8S-P1",
		},
		Needs: needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder(), needs.RecorderOnNodes()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			node := s.Zones(1)[0].Nodes[0]
			v := lived{s: s, node: node, attaches: attaches(ctx, s)}
			v.claim = claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(v.claim).OnNode(node.Hostname))
			pods.MustRun(ctx, s, pod)
			v.volume = claims.VolumeOf(ctx, s, v.claim)
			v.mustBeUsed(ctx, pod)
			uses := []string{string(pod.UID)}
			if nodeplugin.Claims(ctx, s, node, csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER) {
				second := pods.Create(ctx, s, workload.PodWith(v.claim).OnNode(node.Hostname))
				pods.MustRun(ctx, s, second)
				uses = append(uses, string(second.UID))
				pods.Remove(ctx, s, pod)
				v.mustBeUsed(ctx, second)
				pods.MustGoOn(ctx, s, second)
				pod = second
			}
			pods.Remove(ctx, s, pod)
			v.mustBeUnused(ctx)
			claims.MustDelete(ctx, s, v.claim, v.volume)

			v.judge(ctx, uses...)
		},
	}
}

// lived is the volume of the case.
type lived struct {
	s        *harness.Scenario
	node     topology.Node
	attaches bool
	claim    *corev1.PersistentVolumeClaim
	volume   *corev1.PersistentVolume
}

// attaches reports whether volumes of the driver are attached before they are used, which is so unless its CSIDriver says
// otherwise.
func attaches(ctx context.Context, s *harness.Scenario) bool {
	driver := &storagev1.CSIDriver{}
	driver.Name = s.Target.Driver
	if err := s.Reread(ctx, driver); !apierrors.IsNotFound(err) {
		s.Need(err, "reading CSIDriver %s", driver.Name)
	}
	required := driver.Spec.AttachRequired == nil || *driver.Spec.AttachRequired
	return required && s.Driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)
}

// mustBeUsed checks that the objects show that the running pod uses the volume.
func (v *lived) mustBeUsed(ctx context.Context, pod *corev1.Pod) {
	s := v.s
	s.Need(s.Reread(ctx, v.claim), "reading the claim")
	s.PlatformCheck(ctx, "K8S-P1", predicate.KeptBy("claim", v.claim, predicate.ClaimInUse))
	s.Need(s.Reread(ctx, v.volume), "reading the volume")
	v.mustBeKept(ctx)
	if !v.attaches {
		return
	}
	attacher := predicate.AttacherOf(s.Target.Driver)
	s.PlatformCheck(ctx, "K8S-I13", predicate.KeptBy("PersistentVolume", v.volume, attacher))
	s.Check(attachments.Attached(ctx, s, v.volume, pod))
	all, err := harness.AttachmentsOf(ctx, s, s.Target.Driver)
	s.Need(err, "reading VolumeAttachments")
	attachment, err := predicate.AttachmentOf(all, v.volume.Name)
	s.Check(err)
	s.PlatformCheck(ctx, "K8S-I9", predicate.KeptBy("VolumeAttachment", attachment, attacher))
	s.PlatformCheck(ctx, "K8S-I9", predicate.Says("VolumeAttachment", attachment, "csi.alpha.kubernetes.io/node-id", v.node.ID))
	v.nodeMust(ctx, "K8S-I10", "node "+v.node.Name+" says that the volume is attached and in use", predicate.OnNode)
}

// mustBeUnused waits for the objects to show that the volume, which still exists, is unused.
func (v *lived) mustBeUnused(ctx context.Context) {
	s := v.s
	if v.attaches {
		attachments.MustBeDetached(ctx, s, v.volume)
		v.nodeMust(ctx, "K8S-I14", "node "+v.node.Name+" no longer says that the volume is attached or in use", predicate.OffNode)
	}
	s.Need(s.Reread(ctx, v.volume), "reading the volume")
	v.mustBeKept(ctx)
}

// mustBeKept checks that the PersistentVolume, which was just read, is kept for its claim and for its provisioner.
func (v *lived) mustBeKept(ctx context.Context) {
	v.s.PlatformCheck(ctx, "K8S-P1", predicate.KeptBy("PersistentVolume", v.volume, predicate.VolumeInUse))
	v.s.PlatformCheck(ctx, "K8S-O12", predicate.KeptBy("PersistentVolume", v.volume, predicate.VolumeMade))
}

func (v *lived) nodeMust(ctx context.Context, requirement, what string, judge func(node *corev1.Node, driver, handle string) error) {
	node := &corev1.Node{}
	node.Name = v.node.Name
	v.s.PlatformMust(ctx, v.s.Target.Timeouts.Detach, requirement, what, v.s.Look(node, func() error {
		return judge(node, v.s.Target.Driver, harness.HandleOf(v.volume))
	}))
}

// judge judges all calls for the volume, once the last of them has been made.
func (v *lived) judge(ctx context.Context, uses ...string) {
	s := v.s
	created, err := recorder.Created(ctx, s, v.claim)
	s.Need(err, "reading the recorded calls")
	controller, err := recorder.CallsFor(ctx, s, v.volume)
	s.Need(err, "reading the recorded calls")
	node, err := recorder.On(ctx, s, v.node).Calls(ctx, v.volume)
	s.Need(err, "reading the calls recorded on node %s", v.node.Name)
	suite.Evidence(ctx, "calls", slices.Concat(created, controller, node))

	life := predicate.Life{
		NodeID: v.node.ID, Uses: uses, Attaches: v.attaches,
		Stages:   nodeplugin.Claims(ctx, s, v.node, csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME),
		ReadOnly: s.Driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY),
	}
	s.PlatformCheck(ctx, "VOL-05", predicate.ReferredTo(v.volume, created))
	life.Context, err = predicate.ContextOf(created)
	s.Need(err, "reading the recorded calls")
	clauses, err := life.Judge(slices.Concat(controller, node))
	s.Need(err, "reading the life of the volume")
	for _, clause := range clauses {
		s.PlatformCheck(ctx, clause.Requirement, clause.Err)
	}
}
