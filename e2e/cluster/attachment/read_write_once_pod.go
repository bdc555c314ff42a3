// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
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

// readWriteOncePod runs two pods on one node with a volume for a single pod: the second waits until the first is gone.
// The driver is asked for a volume with a single writer if it claims the capability.
func readWriteOncePod() harness.Case {
	return harness.Case{
		ID:           "read_write_once_pod",
		Text:         "keeps a second pod from a ReadWriteOncePod volume until the first is gone, and asks the driver for a single writer",
		Requirements: []string{"K8S-P6"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Recorder(), needs.RecorderOnNodes()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			at := zone.Nodes[0]
			class := claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zone.Segment))
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).AccessModes(corev1.ReadWriteOncePod))
			volume, refused := claims.MustBindOrBeRefused(ctx, s, claim, codes.InvalidArgument)
			if volume == nil {
				suite.Skip(suite.ByCapability, "the driver has no volumes for a single pod: it refuses one with %s", refused)
			}

			first := pods.Create(ctx, s, workload.PodWith(claim).OnNode(at.Hostname))
			pods.MustRun(ctx, s, first)
			second := pods.Create(ctx, s, workload.PodWith(claim).OnNode(at.Hostname))
			s.PlatformMust(ctx, s.Target.Timeouts.Schedule, "K8S-P6", "pod "+second.Name+" waits", s.Look(second, func() error {
				return predicate.PodWaits(second)
			}))
			pods.MustGoOn(ctx, s, first)
			pods.Remove(ctx, s, first)
			pods.MustRun(ctx, s, second)

			askedForOne(ctx, s, at, claim, volume)
		},
	}
}

// askedForOne warns unless the calls for the volume ask for a single writer, where the controller and the node claim the
// capability.
func askedForOne(ctx context.Context, s *harness.Scenario, at topology.Node, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) {
	mode := func(claims bool) string {
		if claims {
			return csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER.String()
		}
		return csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER.String()
	}
	created, err := recorder.Created(ctx, s, claim)
	s.Need(err, "reading the recorded calls")
	published, err := recorder.CallsFor(ctx, s, volume)
	s.Need(err, "reading the recorded calls")
	onNode, err := recorder.On(ctx, s, at).Calls(ctx, volume)
	s.Need(err, "reading the calls recorded on node %s", at.Name)
	s.PlatformCheck(ctx, "K8S-P6", predicate.AskedFor(
		mode(s.Driver.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)), slices.Concat(created, published),
		"CreateVolume", "ControllerPublishVolume"))
	s.PlatformCheck(ctx, "K8S-P6", predicate.AskedFor(
		mode(nodeplugin.Claims(ctx, s, at, csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)), onNode, "NodeStageVolume", "NodePublishVolume"))
}
