// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/placement"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
)

// begin prepares the case. Its error is not a verdict on the driver.
func (s *Scenario) begin(ctx context.Context, lines *connections.Shared) (err error) {
	if err := s.Target.Validate(); err != nil {
		return err
	}
	s.Kube, s.Lines, s.began = lines.Kube, lines, time.Now()
	if s.Driver, err = Connect(ctx, s.Target, lines); err != nil {
		return err
	}
	return prepare(ctx, s)
}

// prepare records the state before the case and, if that succeeds, creates the case's namespace.
func prepare(ctx context.Context, s *Scenario) (err error) {
	var all []topology.Zone
	s.zones, all, s.Unzoned = DiscoverZones(ctx, s.Target)
	s.Segments = topology.SegmentsOf(all...)
	if ownRoom(s) {
		if s.Before, err = Holdings(ctx, s); err != nil {
			return err
		}
	}
	if s.CapacityTracked, err = tracksCapacity(ctx, s); err != nil {
		return err
	}
	s.placed = placement.New(ctx, s.Kube, s.began, s.zones, s.Target.Timeouts.Call)
	if s.Namespace, err = createNamespace(ctx, s); err != nil {
		return fmt.Errorf("creating the case's namespace: %w", err)
	}
	return nil
}

// tracksCapacity reads the driver's CSIDriver object; the capacity of a driver without one is not tracked.
func tracksCapacity(ctx context.Context, s *Scenario) (bool, error) {
	driver, err := s.Kube.StorageV1().CSIDrivers().Get(ctx, s.Target.Driver, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the driver's CSIDriver: %w", err)
	}
	return driver.Spec.StorageCapacity != nil && *driver.Spec.StorageCapacity, nil
}
