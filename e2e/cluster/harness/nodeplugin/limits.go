// SPDX-License-Identifier: Apache-2.0

package nodeplugin

import (
	"context"
	"fmt"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// ShortestUpdatePeriod is the shortest after which a kubelet may be told to ask a driver again how many volumes its node
// takes.
const ShortestUpdatePeriod = 10 * time.Second

// UpdateLimits has the kubelets ask the driver in this period how many volumes their nodes take, until the case ends. It
// ends once they know again what they knew before of this node.
func UpdateLimits(ctx context.Context, s *harness.Scenario, at topology.Node, period time.Duration) {
	before, err := Limit(ctx, s, at)
	s.Need(err, "reading the limit of node %s", at.Name)
	driver := &storagev1.CSIDriver{}
	driver.Name = s.Target.Driver
	s.Need(s.Reread(ctx, driver), "reading CSIDriver %s", driver.Name)
	was := driver.Spec.NodeAllocatableUpdatePeriodSeconds
	s.OnCleanUp(func(ctx context.Context) error {
		// Only by being asked again does the driver say what is true of the node.
		if err := setUpdatePeriod(ctx, s, driver, ptr.To(seconds(ShortestUpdatePeriod))); err != nil {
			return err
		}
		if err := s.Within(ctx, s.Target.Timeouts.Restart, func(ctx context.Context) error {
			now, err := Limit(ctx, s, at)
			if err != nil {
				return err
			}
			return predicate.SameLimit("limit of node "+at.Name, before, now)
		}); err != nil {
			return err
		}
		return setUpdatePeriod(ctx, s, driver, was)
	})
	s.Need(setUpdatePeriod(ctx, s, driver, ptr.To(seconds(period))), "having kubelets ask for limits again")
	s.Need(s.Reread(ctx, driver), "reading CSIDriver %s", driver.Name)
	if driver.Spec.NodeAllocatableUpdatePeriodSeconds == nil {
		suite.Skip(suite.ByEnvironment, "this Kubernetes does not have kubelets ask again how many volumes a node takes: "+
			"it needs 1.35 or later, or 1.34 with the feature gate MutableCSINodeAllocatableCount")
	}
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

func setUpdatePeriod(ctx context.Context, s *harness.Scenario, driver *storagev1.CSIDriver, period *int64) error {
	change := map[string]any{"spec": map[string]any{"nodeAllocatableUpdatePeriodSeconds": period}}
	if err := s.Patch(ctx, driver, change); err != nil {
		return fmt.Errorf("changing CSIDriver %s: %w", driver.Name, err)
	}
	return nil
}

// AnswerLimit has the driver on the node answer, until the case ends, that it takes no more than so many volumes there.
func AnswerLimit(ctx context.Context, s *harness.Scenario, at topology.Node, most int64) {
	recorder.On(ctx, s, at).Inject(ctx, trace.Rule{Method: "NodeGetInfo", Patch: fmt.Appendf(nil, `{"max_volumes_per_node": "%d"}`, most)})
}

// Limit is how many volumes of the driver the scheduler may have on the node, as its CSINode says; nil for any number.
func Limit(ctx context.Context, s *harness.Scenario, at topology.Node) (*int32, error) {
	registered := &storagev1.CSINode{}
	registered.Name = at.Name
	if err := s.Reread(ctx, registered); err != nil {
		return nil, err
	}
	return predicate.LimitIn(registered, s.Target.Driver)
}

// MustLimit waits for the CSINode to say what the driver says of the node. One that keeps saying something else is a warning
// by the requirement, and false.
func MustLimit(ctx context.Context, s *harness.Scenario, at topology.Node, requirement string, most int64) bool {
	return s.PlatformMust(ctx, s.Target.Timeouts.Restart, requirement, "limit of node "+at.Name, func(ctx context.Context) error {
		found, err := Limit(ctx, s, at)
		if err != nil {
			return err
		}
		return predicate.LimitIs(at.Name, found, most)
	})
}
