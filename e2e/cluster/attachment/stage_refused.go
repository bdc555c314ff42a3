// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// staging is a volume to be staged on one node, and the pod that waits for it.
type staging struct {
	s      *harness.Scenario
	node   *recorder.Node
	plugin *nodeplugin.Plugin
	volume *corev1.PersistentVolume
	pod    *corev1.Pod
}

// stageRefused makes NodeStageVolume fail for a while: the volume is not published meanwhile, and the same call is
// repeated. In one variant it then succeeds, and the pod runs. In the other, the driver stages the volume each time but its
// answer is lost, and the pod is deleted: nothing of the volume stays on the node.
func stageRefused() []harness.Case {
	onNodes := needs.All(needs.Zones(1), needs.RecorderOnNodes())
	return []harness.Case{
		{
			ID:           "stage_refused",
			Text:         "publishes nothing while the driver refuses to stage a volume, repeats the same call, and runs the pod once the driver stages it",
			Requirements: []string{"NS-03", "NS-06", "NS-16", "K8S-Q5"},
			Needs:        onNodes,
			Run: func(ctx context.Context, s *harness.Scenario) {
				v, refused := refuseToStage(ctx, s, trace.Rule{Code: "INTERNAL"})
				refused.End(ctx)
				pods.MustRun(ctx, s, v.pod)
				v.node.MustRepeat(ctx, "K8S-Q5", v.volume, "NodeStageVolume", predicate.AnsweredAs("OK", 1))
				v.mustGo(ctx)
			},
		},
		{
			ID:           "stage_refused_deleted",
			Text:         "leaves no volume mounted or attached when the answer to NodeStageVolume was lost and its pod is deleted before it runs",
			Requirements: []string{"NS-03", "NS-06", "K8S-Q5"},
			Needs:        onNodes,
			Run: func(ctx context.Context, s *harness.Scenario) {
				v, _ := refuseToStage(ctx, s, trace.Rule{Code: "DEADLINE_EXCEEDED", Forward: true})
				v.mustGo(ctx)
			},
		},
	}
}

// refuseToStage starts a pod whose volume the rule refuses to stage, and fails the case if it is published.
func refuseToStage(ctx context.Context, s *harness.Scenario, rule trace.Rule) (*staging, *recorder.Injected) {
	zone := s.Zones(1)[0]
	at := zone.Nodes[0]
	nodeplugin.MustClaim(ctx, s, at, csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
	v := &staging{s: s, node: recorder.On(ctx, s, at), plugin: nodeplugin.On(ctx, s, at)}
	claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zone.Segment)))
	v.volume = claims.MustBind(ctx, s, claim)
	rule.Method, rule.Message = "NodeStageVolume", saidByCase
	refused := v.node.InjectOn(ctx, v.volume, rule)
	v.pod = pods.Create(ctx, s, workload.PodWith(claim).OnNode(at.Hostname))
	v.node.MustRepeat(ctx, "K8S-Q5", v.volume, "NodeStageVolume", predicate.AnsweredAs(rule.Code, refusals))
	calls, err := v.node.Calls(ctx, v.volume)
	s.Need(err, "reading the calls recorded on node %s", at.Name)
	s.PlatformCheck(ctx, "NS-03", predicate.NotAsked(predicate.CallsOf(calls, "NodePublishVolume")))
	return v, refused
}

// mustGo removes the pod, and waits for the volume to be unstaged, mounted nowhere, and detached.
func (v *staging) mustGo(ctx context.Context) {
	mounts := nodeplugin.WatchAnyMounts(ctx, v.s, v.plugin, v.volume)
	pods.Remove(ctx, v.s, v.pod)
	v.node.MustRepeat(ctx, "K8S-Q5", v.volume, "NodeUnstageVolume", predicate.AnsweredAs("OK", 1))
	mounts.MustGo(ctx)
	attachments.MustBeDetached(ctx, v.s, v.volume)
}
