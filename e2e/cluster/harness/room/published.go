// SPDX-License-Identifier: Apache-2.0

package room

import (
	"context"
	"fmt"
	"slices"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// AwaitCapacity waits for one CSIStorageCapacity object of the class per zone.
func AwaitCapacity(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass) {
	s.Until(ctx, s.Target.Timeouts.Capacity, "CSIStorageCapacity of class "+class.Name+" for each zone", func(ctx context.Context) error {
		objects, err := CapacityObjects(ctx, s, class)
		if err != nil {
			return err
		}
		return predicate.OneCapacityPerSegment(objects, topology.SegmentsOf(s.AllZones()...))
	})
}

// MustPublishCapacity fails the case unless the class has one CSIStorageCapacity object
// per zone, and adds them to the evidence.
func MustPublishCapacity(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass) {
	AwaitCapacity(ctx, s, class)
	objects, err := CapacityObjects(ctx, s, class)
	s.Need(err, "reading CSIStorageCapacity objects")
	shown := map[string]string{}
	for _, object := range objects {
		shown[predicate.Canonical(object.NodeTopology.MatchLabels)] = object.Capacity.String()
	}
	suite.Evidence(ctx, "CSIStorageCapacity of class "+class.Name, shown)
}

// Published returns the bytes that the class's CSIStorageCapacity object shows for the
// zone.
func Published(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass, z topology.Zone) (int64, error) {
	objects, err := CapacityObjects(ctx, s, class)
	if err != nil {
		return 0, err
	}
	return predicate.CapacityOf(objects, z.Segment)
}

// MustPublish waits for the class's object of the zone to satisfy the predicate.
func MustPublish(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass, z topology.Zone, what string, judge func(bytes int64) error) {
	s.Until(ctx, s.Target.Timeouts.Capacity, what, func(ctx context.Context) error {
		bytes, err := Published(ctx, s, class, z)
		if err != nil {
			return err
		}
		return judge(bytes)
	})
}

// CapacityObjects returns the CSIStorageCapacity objects of the class, in all namespaces.
func CapacityObjects(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass) ([]storagev1.CSIStorageCapacity, error) {
	var list storagev1.CSIStorageCapacityList
	if err := s.Target.Client.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing CSIStorageCapacity objects: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(object storagev1.CSIStorageCapacity) bool {
		return object.StorageClassName != class.Name
	}), nil
}
