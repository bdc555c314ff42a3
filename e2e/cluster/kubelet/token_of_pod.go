// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// tokenOfPod runs a pod with volumes of three drivers on one node. Two request tokens of its service account, one of them
// in the secrets of the call, and the third requests none. The calls are recorded without the tokens themselves.
func tokenOfPod() harness.Case {
	return harness.Case{
		ID:           "token_of_pod",
		Text:         "gives a driver the tokens of a pod's service account that its CSIDriver requests, in volume_context or in secrets, and other drivers none",
		Requirements: []string{"K8S-Q4"},
		Needs:        needs.OwnNodePlugin(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			at := s.Zones(1)[0].Nodes[0]
			const audience, shortest = "csi-topo", 600 // in seconds
			requests := []storagev1.TokenRequest{{Audience: ""}, {Audience: audience, ExpirationSeconds: ptr.To[int64](shortest)}}
			none := standin.CreateInline(ctx, s, "none", storagev1.CSIDriverSpec{})
			inContext := standin.CreateInline(ctx, s, "context", storagev1.CSIDriverSpec{TokenRequests: requests})
			inSecrets := standin.CreateInline(ctx, s, "secrets", storagev1.CSIDriverSpec{TokenRequests: requests, ServiceAccountTokenInSecrets: ptr.To(true)})
			plugin := standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{none, inContext, inSecrets})

			pod := pods.Create(ctx, s, workload.SleepingPod().OnNode(at.Hostname).
				WithInline("none", corev1.CSIVolumeSource{Driver: none.Driver.Name}).
				WithInline("context", corev1.CSIVolumeSource{Driver: inContext.Driver.Name}).
				WithInline("secrets", corev1.CSIVolumeSource{Driver: inSecrets.Driver.Name}))
			pods.MustRun(ctx, s, pod)

			for _, of := range []struct {
				volume    string
				audiences []string
				secrets   bool
			}{
				{"none", nil, false},
				{"context", []string{"", audience}, false},
				{"secrets", nil, true},
			} {
				if of.secrets && inSecrets.Driver.Spec.ServiceAccountTokenInSecrets == nil {
					continue // this API server does not know the field
				}
				calls := plugin.Published(ctx, pod, of.volume)
				suite.Evidence(ctx, "NodePublishVolume of "+of.volume, calls)
				s.PlatformCheck(ctx, "K8S-Q4", predicate.Tokens(calls, of.audiences...))
				s.PlatformCheck(ctx, "K8S-Q4", predicate.TokensInSecrets(calls, of.secrets))
			}
		},
	}
}
