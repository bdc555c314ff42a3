// SPDX-License-Identifier: Apache-2.0

// Package room uses up and releases the room of zones, and reads the published capacity.
package room

import (
	"context"
	"fmt"
	"math"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	mebibyte = 1 << 20
	// mostFillers is the maximum number of volumes to fill a zone.
	mostFillers = 100
)

// filling holds the volumes that fill zones in a case.
type filling struct {
	volumes map[string][]string // zone name to ids
	// quiet is the state of the driver and the cluster once the zones had been filled; nil before.
	quiet *predicate.Holdings
}

func fillingOf(s *harness.Scenario) *filling {
	found := harness.Kept[filling](s)
	if found.volumes == nil {
		found.volumes = map[string][]string{}
	}
	return found
}

// besides returns the holdings that the case does not check, such as the volumes that fill zones.
func besides(s *harness.Scenario) predicate.Holdings {
	if quiet := fillingOf(s).quiet; quiet != nil {
		return *quiet
	}
	return s.Before
}

// Fill uses up the zone's room until a volume of the target's size does not fit, according to the room that the driver
// reports or, if it reports too much, to its refusal.
func Fill(ctx context.Context, s *harness.Scenario, z topology.Zone) {
	smallest := s.Target.VolumeSize.Value()
	limit := int64(math.MaxInt64)
	for limit >= smallest {
		bytes := min(surplus(ctx, s, z, smallest/2), limit)
		if bytes < smallest {
			break
		}
		err := addFiller(ctx, s, z, bytes)
		switch code := status.Code(err); {
		case code == codes.ResourceExhausted && bytes > smallest:
			limit = max(bytes/2, smallest)
		case code == codes.ResourceExhausted:
			limit = 0
		default:
			s.Need(err, "filling zone %s", z)
		}
	}
	settleFill(ctx, s, z)
}

// FillUpTo uses up the zone's room until the given number of bytes is left, or a little more.
func FillUpTo(ctx context.Context, s *harness.Scenario, z topology.Zone, left int64) {
	for bytes := surplus(ctx, s, z, left); bytes > 0; bytes = surplus(ctx, s, z, left) {
		s.Need(addFiller(ctx, s, z, bytes), "filling zone %s", z)
	}
	settleFill(ctx, s, z)
}

// surplus returns the size of the next volume to create so that about the given number of bytes is left in the zone, and 0
// once it is. It is in whole mebibytes, no smaller than the target's size and no larger than the driver makes.
func surplus(ctx context.Context, s *harness.Scenario, z topology.Zone, left int64) int64 {
	free, largest, err := s.Driver.Room(ctx, s.AccessibleFrom(1), z)
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

// addFiller creates one volume that takes room in the zone.
func addFiller(ctx context.Context, s *harness.Scenario, z topology.Zone, bytes int64) error {
	fillers := fillingOf(s).volumes
	if len(fillers[z.Name]) == mostFillers {
		return fmt.Errorf("%d volumes did not fill it", mostFillers)
	}
	if fillers[z.Name] == nil {
		s.OnceClaimsAreGone(func(ctx context.Context) error { return Drain(ctx, s, z) })
	}
	name := fmt.Sprintf("%s-fills-%s-%d", s.Namespace, z.Name, len(fillers[z.Name]))
	here, err := s.Driver.At(z)
	if err != nil {
		return err
	}
	volume, err := here.Create(ctx, name, bytes, s.AccessibleFrom(1), z.Segment)
	if err != nil {
		return err
	}
	fillers[z.Name] = append(fillers[z.Name], volume.GetVolumeId())
	for _, t := range volume.GetAccessibleTopology() {
		if predicate.Canonical(t.GetSegments()) != predicate.Canonical(z.Segment) {
			return fmt.Errorf("the driver was asked to fill %s and made a volume in %s", predicate.Canonical(z.Segment), predicate.Canonical(t.GetSegments()))
		}
	}
	return nil
}

// settleFill records the state with filled zones.
func settleFill(ctx context.Context, s *harness.Scenario, z topology.Zone) {
	now, err := harness.Holdings(ctx, s)
	s.Check(err)
	filled := fillingOf(s)
	filled.quiet = &now
	suite.Evidence(ctx, "zone "+z.Name+" filled", map[string]any{"bytesLeft": now.Room[predicate.Canonical(z.Segment)], "volumes": len(filled.volumes[z.Name])})
}

// MustHoldNothingNew fails the case if the driver has anything new since the case began, except the volumes that fill
// zones.
func MustHoldNothingNew(ctx context.Context, s *harness.Scenario) {
	now, err := harness.Holdings(ctx, s)
	s.Check(err)
	s.Check(predicate.NothingLeft(besides(s), now))
}

// MustListOnly fails the case if the driver lists anything but this volume and the volumes that it listed once the zones
// had been filled.
func MustListOnly(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume) {
	now, err := harness.Holdings(ctx, s)
	s.Check(err)
	s.Check(predicate.NothingLeft(
		predicate.Holdings{Volumes: append([]string{harness.HandleOf(volume)}, besides(s).Volumes...)},
		predicate.Holdings{Volumes: now.Volumes}))
}

// Drain releases the room that Fill used up.
func Drain(ctx context.Context, s *harness.Scenario, z topology.Zone) error {
	fillers := fillingOf(s).volumes
	if len(fillers[z.Name]) == 0 {
		return nil
	}
	here, err := s.Driver.At(z)
	if err != nil {
		return fmt.Errorf("emptying zone %s: %w", z, err)
	}
	for len(fillers[z.Name]) > 0 {
		if err := here.Delete(ctx, fillers[z.Name][0]); err != nil {
			return fmt.Errorf("emptying zone %s: %w", z, err)
		}
		fillers[z.Name] = fillers[z.Name][1:]
	}
	return nil
}

// Free returns the free bytes that the driver reports for the zone.
func Free(ctx context.Context, s *harness.Scenario, z topology.Zone) int64 {
	free, _, err := s.Driver.Room(ctx, s.AccessibleFrom(1), z)
	s.Check(err)
	return free
}
