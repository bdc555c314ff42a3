// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/metrics"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Recorded returns the calls that the provisioner's pods made, oldest first.
func (p *Provisioner) Recorded(ctx context.Context) ([]trace.Call, error) {
	if err := p.connect(ctx); err != nil {
		return nil, err
	}
	all := slices.Clone(p.gone)
	for _, pod := range p.pods {
		calls, err := pod.All(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, calls...)
	}
	slices.SortStableFunc(all, func(a, b trace.Call) int { return a.Time.Compare(b.Time) })
	return all, nil
}

// Created returns the recorded calls of CreateVolume for the claim, oldest first.
func (p *Provisioner) Created(ctx context.Context, claim *corev1.PersistentVolumeClaim) ([]trace.Call, error) {
	calls, err := p.Recorded(ctx)
	return recorder.CreatedFor(calls, claim), err
}

// Deleted returns the recorded calls of DeleteVolume for the claim's volume, oldest first.
func (p *Provisioner) Deleted(ctx context.Context, claim *corev1.PersistentVolumeClaim) ([]trace.Call, error) {
	calls, err := p.Recorded(ctx)
	return predicate.CallsOf(predicate.CallsFor(calls, recorder.NameOf(claim)), "DeleteVolume"), err
}

// MustBeAsked waits for calls of CreateVolume for the claim that satisfy the predicate, and returns them.
func (p *Provisioner) MustBeAsked(ctx context.Context, claim *corev1.PersistentVolumeClaim, judged func([]trace.Call) error) []trace.Call {
	return recorder.Await(ctx, p.s, claim, judged, func(ctx context.Context) ([]trace.Call, error) { return p.Created(ctx, claim) })
}

// Requirement returns the topology requirement in the first call of CreateVolume for the claim; nil if it has
// none.
func (p *Provisioner) Requirement(ctx context.Context, claim *corev1.PersistentVolumeClaim) *csi.TopologyRequirement {
	calls := p.MustBeAsked(ctx, claim, predicate.AskedOnce)
	request, err := recorder.Request(calls[len(calls)-1], &csi.CreateVolumeRequest{})
	p.s.Need(err, "reading the provisioner's requests")
	return request.GetAccessibilityRequirements()
}

// Scrape reads the metrics that one of the provisioner's pods serves on the port.
func (p *Provisioner) Scrape(ctx context.Context, port int) (predicate.Samples, error) {
	if err := p.connect(ctx); err != nil {
		return nil, err
	}
	for pod := range p.pods {
		return metrics.Scrape(ctx, p.s, metrics.Path(p.namespace, pod, strconv.Itoa(port)))
	}
	return nil, errors.New("no pod of the provisioner runs")
}

// MustPublish waits for the class's CSIStorageCapacity object of the zone to show the given number of bytes.
func (p *Provisioner) MustPublish(ctx context.Context, class *storagev1.StorageClass, zone string, bytes int64) {
	at := topology.Zone{Name: zone, Segment: p.driver.Segment(zone)}
	room.MustPublish(ctx, p.s, class, at, fmt.Sprintf("CSIStorageCapacity of zone %s", zone), func(shown int64) error {
		return predicate.Equal("CSIStorageCapacity of zone "+zone, shown, bytes)
	})
}
