// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"math"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	mebibyte = 1 << 20
	// mostFillers is how many volumes a zone is given to become full.
	mostFillers = 100
)

// Fill takes the zone's room until a volume of the target's size does not fit, by what the
// driver says of its room or, where it says too much, by its refusal.
func (s *Scenario) Fill(ctx context.Context, z Zone) {
	smallest := s.Target.VolumeSize.Value()
	limit := int64(math.MaxInt64)
	for limit >= smallest {
		bytes := min(s.surplus(ctx, z, smallest/2), limit)
		if bytes < smallest {
			break
		}
		err := s.addFiller(ctx, z, bytes)
		switch code := status.Code(err); {
		case code == codes.ResourceExhausted && bytes > smallest:
			limit = max(bytes/2, smallest)
		case code == codes.ResourceExhausted:
			limit = 0
		default:
			s.Need(err, "filling zone %s", z)
		}
	}
	s.settleFill(ctx, z)
}

// FillUpTo takes the zone's room until this many bytes are left, or little more.
func (s *Scenario) FillUpTo(ctx context.Context, z Zone, left int64) {
	for bytes := s.surplus(ctx, z, left); bytes > 0; bytes = s.surplus(ctx, z, left) {
		s.Need(s.addFiller(ctx, z, bytes), "filling zone %s", z)
	}
	s.settleFill(ctx, z)
}

// surplus is the size of the next volume to make so that about this many bytes are left in
// the zone, and 0 when they are. It is in whole mebibytes, no smaller than the target's size
// and no larger than the driver makes.
func (s *Scenario) surplus(ctx context.Context, z Zone, left int64) int64 {
	free, largest, err := s.driver.room(ctx, s.AccessibleFrom(1), z)
	s.Check(err)
	smallest := s.Target.VolumeSize.Value()
	bytes := free - left
	if bytes < smallest/2 {
		return 0
	}
	if largest > 0 {
		bytes = min(bytes, largest)
	}
	return max(bytes/mebibyte*mebibyte, smallest)
}

// addFiller makes one volume that takes room in the zone.
func (s *Scenario) addFiller(ctx context.Context, z Zone, bytes int64) error {
	if len(s.fillers[z.Name]) == mostFillers {
		return fmt.Errorf("%d volumes did not fill it", mostFillers)
	}
	name := fmt.Sprintf("%s-fills-%s-%d", s.Namespace, z.Name, len(s.fillers[z.Name]))
	here, err := s.driver.at(z)
	if err != nil {
		return err
	}
	volume, err := here.create(ctx, name, bytes, s.AccessibleFrom(1), z.Segment)
	if err != nil {
		return err
	}
	s.fillers[z.Name] = append(s.fillers[z.Name], volume.GetVolumeId())
	for _, t := range volume.GetAccessibleTopology() {
		if predicate.Canonical(t.GetSegments()) != predicate.Canonical(z.Segment) {
			return fmt.Errorf("the driver was asked to fill %s and made a volume in %s", predicate.Canonical(z.Segment), predicate.Canonical(t.GetSegments()))
		}
	}
	return nil
}

// settleFill remembers what fills the zones now.
func (s *Scenario) settleFill(ctx context.Context, z Zone) {
	var err error
	s.quiet, err = s.Holdings(ctx)
	s.Check(err)
	suite.Evidence(ctx, "zone "+z.Name+" filled", map[string]any{"bytesLeft": s.quiet.Room[predicate.Canonical(z.Segment)], "volumes": len(s.fillers[z.Name])})
}

// Drain gives the room back that fill took.
func (s *Scenario) Drain(ctx context.Context, z Zone) error {
	if len(s.fillers[z.Name]) == 0 {
		return nil
	}
	here, err := s.driver.at(z)
	if err != nil {
		return fmt.Errorf("emptying zone %s: %w", z, err)
	}
	for len(s.fillers[z.Name]) > 0 {
		if err := here.delete(ctx, s.fillers[z.Name][0]); err != nil {
			return fmt.Errorf("emptying zone %s: %w", z, err)
		}
		s.fillers[z.Name] = s.fillers[z.Name][1:]
	}
	return nil
}

// Room is what the driver says is free in the zone.
func (s *Scenario) Room(ctx context.Context, z Zone) int64 {
	free, _, err := s.driver.room(ctx, s.AccessibleFrom(1), z)
	s.Check(err)
	return free
}

// awaitCapacity waits for one CSIStorageCapacity object of the class per zone.
func (s *Scenario) awaitCapacity(ctx context.Context, class *storagev1.StorageClass) {
	s.Until(ctx, s.Target.Timeouts.Capacity, "CSIStorageCapacity of class "+class.Name+" for each zone", func(ctx context.Context) error {
		objects, err := s.CapacityObjects(ctx, class)
		if err != nil {
			return err
		}
		return predicate.OneCapacityPerSegment(objects, s.Target.Driver, SegmentsOf(s.all...))
	})
}

// MustPublishCapacity wants one CSIStorageCapacity object of the class per zone, and shows
// them.
func (s *Scenario) MustPublishCapacity(ctx context.Context, class *storagev1.StorageClass) {
	s.awaitCapacity(ctx, class)
	objects, err := s.CapacityObjects(ctx, class)
	s.Need(err, "reading CSIStorageCapacity objects")
	shown := map[string]string{}
	for _, object := range objects {
		shown[predicate.Canonical(object.NodeTopology.MatchLabels)] = object.Capacity.String()
	}
	suite.Evidence(ctx, "CSIStorageCapacity of class "+class.Name, shown)
}

// Published is what the class's CSIStorageCapacity object shows for the zone, in bytes.
func (s *Scenario) Published(ctx context.Context, class *storagev1.StorageClass, z Zone) (int64, error) {
	objects, err := s.CapacityObjects(ctx, class)
	if err != nil {
		return 0, err
	}
	return predicate.CapacityOf(objects, z.Segment)
}

// MustPublish waits for the class's object of the zone to satisfy the predicate.
func (s *Scenario) MustPublish(ctx context.Context, class *storagev1.StorageClass, z Zone, what string, judge func(bytes int64) error) {
	s.Until(ctx, s.Target.Timeouts.Capacity, what, func(ctx context.Context) error {
		bytes, err := s.Published(ctx, class, z)
		if err != nil {
			return err
		}
		return judge(bytes)
	})
}

// CapacityObjects are the CSIStorageCapacity objects of the class, wherever they are.
func (s *Scenario) CapacityObjects(ctx context.Context, class *storagev1.StorageClass) ([]storagev1.CSIStorageCapacity, error) {
	var list storagev1.CSIStorageCapacityList
	if err := s.Target.Client.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing CSIStorageCapacity objects: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(object storagev1.CSIStorageCapacity) bool {
		return object.StorageClassName != class.Name
	}), nil
}
