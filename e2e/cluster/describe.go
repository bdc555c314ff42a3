// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"slices"
	"time"

	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/survey"
	"github.com/csi-topo/csi-topo/e2e/internal/target/describe"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// describeTo returns a function that fills in the cluster's description of itself. A report is also written after an
// interrupt, so only a deadline ends the function. Fields without an answer stay empty.
func describeTo(target *harness.Target) func(context.Context, *report.ConformanceReport) {
	const patience = 30 * time.Second
	return func(ctx context.Context, r *report.ConformanceReport) {
		ctx, cancel := suite.CleanUp(ctx, patience)
		defer cancel()
		// The name of a driver that no longer answers is still known.
		_ = survey.AskController(ctx, target, func(controller grpc.ClientConnInterface) { r.Driver = describe.Driver(ctx, controller) })
		r.Driver.Name = target.Driver
		r.Environment.Sidecars = sidecars(ctx, target)
		if client, err := discovery.NewDiscoveryClientForConfig(target.REST); err == nil {
			if version, err := client.ServerVersion(); err == nil {
				r.Environment.Kubernetes = version.GitVersion
			}
		}
		// Without segments the report names only the zones.
		r.Environment.Segments, _ = survey.Segments(ctx, target)
		nodes := corev1.NodeList{}
		if err := target.Client.Resources().List(ctx, &nodes); err != nil {
			return
		}
		r.Environment.Nodes = len(nodes.Items)
		for _, node := range nodes.Items {
			if zone := node.Labels[corev1.LabelTopologyZone]; zone != "" && !slices.Contains(r.Environment.Zones, zone) {
				r.Environment.Zones = append(r.Environment.Zones, zone)
			}
		}
		slices.Sort(r.Environment.Zones)
	}
}

// sidecars returns the images of the other containers in the pods of the driver's controller, by container.
func sidecars(ctx context.Context, target *harness.Target) map[string]string {
	if target.Controller == nil {
		return nil
	}
	pods := corev1.PodList{}
	if err := target.Client.Resources(target.Controller.Namespace).List(ctx, &pods, resources.WithLabelSelector(target.Controller.Selector)); err != nil {
		return nil
	}
	images := map[string]string{}
	for _, pod := range pods.Items {
		for _, container := range pod.Spec.Containers {
			images[container.Name] = container.Image
		}
	}
	return images
}
