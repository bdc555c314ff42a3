package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

const (
	mebibyte = 1 << 20
	// mostFillers is how many volumes a zone is given to become full.
	mostFillers = 100
)

// fill takes the zone's room until a volume of the target's size does not fit, by what the
// driver says of its room or, where it says too much, by its refusal.
func (s *scenario) fill(ctx context.Context, z zone) {
	ginkgo.GinkgoHelper()
	smallest := s.target.VolumeSize.Value()
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
			s.need(err, "filling zone %s", z)
		}
	}
	s.settleFill(ctx, z)
}

// fillUpTo takes the zone's room until this many bytes are left, or little more.
func (s *scenario) fillUpTo(ctx context.Context, z zone, left int64) {
	ginkgo.GinkgoHelper()
	for bytes := s.surplus(ctx, z, left); bytes > 0; bytes = s.surplus(ctx, z, left) {
		s.need(s.addFiller(ctx, z, bytes), "filling zone %s", z)
	}
	s.settleFill(ctx, z)
}

// surplus is the size of the next volume to make so that about this many bytes are left in
// the zone, and 0 when they are. It is in whole mebibytes, no smaller than the target's size
// and no larger than the driver makes.
func (s *scenario) surplus(ctx context.Context, z zone, left int64) int64 {
	ginkgo.GinkgoHelper()
	s.mustClaim(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	free, largest, err := s.driver.room(ctx, s.target.AccessibleFrom(1), z)
	s.check(err)
	smallest := s.target.VolumeSize.Value()
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
func (s *scenario) addFiller(ctx context.Context, z zone, bytes int64) error {
	if len(s.fillers[z.name]) == mostFillers {
		return fmt.Errorf("%d volumes did not fill it", mostFillers)
	}
	name := fmt.Sprintf("%s-fills-%s-%d", s.namespace, z.name, len(s.fillers[z.name]))
	here, err := s.driver.at(z)
	if err != nil {
		return err
	}
	volume, err := here.create(ctx, name, bytes, s.target.AccessibleFrom(1), z.segment)
	if err != nil {
		return err
	}
	s.fillers[z.name] = append(s.fillers[z.name], volume.GetVolumeId())
	for _, t := range volume.GetAccessibleTopology() {
		if predicate.Canonical(t.GetSegments()) != predicate.Canonical(z.segment) {
			return fmt.Errorf("the driver was asked to fill %s and made a volume in %s", predicate.Canonical(z.segment), predicate.Canonical(t.GetSegments()))
		}
	}
	return nil
}

// settleFill remembers what fills the zones now.
func (s *scenario) settleFill(ctx context.Context, z zone) {
	ginkgo.GinkgoHelper()
	var err error
	s.quiet, err = s.holdings(ctx)
	s.check(err)
	verdict.Evidence("zone "+z.name+" filled", map[string]any{"bytesLeft": s.quiet.Room[predicate.Canonical(z.segment)], "volumes": len(s.fillers[z.name])})
}

// drain gives the room back that fill took.
func (s *scenario) drain(ctx context.Context, z zone) error {
	if len(s.fillers[z.name]) == 0 {
		return nil
	}
	here, err := s.driver.at(z)
	if err != nil {
		return fmt.Errorf("emptying zone %s: %w", z, err)
	}
	for len(s.fillers[z.name]) > 0 {
		if err := here.delete(ctx, s.fillers[z.name][0]); err != nil {
			return fmt.Errorf("emptying zone %s: %w", z, err)
		}
		s.fillers[z.name] = s.fillers[z.name][1:]
	}
	return nil
}

// room is what the driver says is free in the zone.
func (s *scenario) room(ctx context.Context, z zone) int64 {
	ginkgo.GinkgoHelper()
	s.mustClaim(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	free, _, err := s.driver.room(ctx, s.target.AccessibleFrom(1), z)
	s.check(err)
	return free
}

// awaitCapacity waits for one CSIStorageCapacity object of the class per zone.
func (s *scenario) awaitCapacity(ctx context.Context, class *storagev1.StorageClass) {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Capacity, "CSIStorageCapacity of class "+class.Name+" for each zone", func(ctx context.Context) error {
		objects, err := s.capacityObjects(ctx, class)
		if err != nil {
			return err
		}
		return predicate.OneCapacityPerSegment(objects, s.target.Driver, segmentsOf(s.all...))
	})
}

// mustPublishCapacity wants one CSIStorageCapacity object of the class per zone, and shows
// them.
func (s *scenario) mustPublishCapacity(ctx context.Context, class *storagev1.StorageClass) {
	ginkgo.GinkgoHelper()
	s.awaitCapacity(ctx, class)
	objects, err := s.capacityObjects(ctx, class)
	s.need(err, "reading CSIStorageCapacity objects")
	shown := map[string]string{}
	for _, object := range objects {
		shown[predicate.Canonical(object.NodeTopology.MatchLabels)] = object.Capacity.String()
	}
	verdict.Evidence("CSIStorageCapacity of class "+class.Name, shown)
}

// published is what the class's CSIStorageCapacity object shows for the zone, in bytes.
func (s *scenario) published(ctx context.Context, class *storagev1.StorageClass, z zone) (int64, error) {
	objects, err := s.capacityObjects(ctx, class)
	if err != nil {
		return 0, err
	}
	return predicate.CapacityOf(objects, z.segment)
}

// mustPublish waits for the class's object of the zone to satisfy the predicate.
func (s *scenario) mustPublish(ctx context.Context, class *storagev1.StorageClass, z zone, what string, judge func(bytes int64) error) {
	ginkgo.GinkgoHelper()
	s.until(ctx, s.target.Timeouts.Capacity, what, func(ctx context.Context) error {
		bytes, err := s.published(ctx, class, z)
		if err != nil {
			return err
		}
		return judge(bytes)
	})
}

// capacityObjects are the CSIStorageCapacity objects of the class, wherever they are.
func (s *scenario) capacityObjects(ctx context.Context, class *storagev1.StorageClass) ([]storagev1.CSIStorageCapacity, error) {
	var list storagev1.CSIStorageCapacityList
	if err := s.target.Client.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing CSIStorageCapacity objects: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(object storagev1.CSIStorageCapacity) bool {
		return object.StorageClassName != class.Name
	}), nil
}
