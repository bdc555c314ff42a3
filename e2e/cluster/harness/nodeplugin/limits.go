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

// ShortestUpdatePeriod is the shortest period that Kubernetes accepts for repeating NodeGetInfo to learn a node's limit of
// volumes.
const ShortestUpdatePeriod = 10 * time.Second

// UpdateLimits makes the kubelets ask the driver for the limits of their nodes in this period, until the case ends. The
// clean-up waits until the limit of this node is as before.
func UpdateLimits(ctx context.Context, s *harness.Scenario, at topology.Node, period time.Duration) {
	before, err := Limit(ctx, s, at)
	s.Need(err, "reading the limit of node %s", at.Name)
	driver := &storagev1.CSIDriver{}
	driver.Name = s.Target.Driver
	s.Need(s.Reread(ctx, driver), "reading CSIDriver %s", driver.Name)
	was := driver.Spec.NodeAllocatableUpdatePeriodSeconds
	s.OnCleanUp(func(ctx context.Context) error {
		// The driver reports the true limit only on the next call.
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
		suite.Skip(suite.ByEnvironment, "kubelets of this Kubernetes do not ask again how many volumes a node takes: "+
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

// AnswerLimit makes the driver on the node report, until the case ends, that the node takes at most the given number of
// volumes.
func AnswerLimit(ctx context.Context, s *harness.Scenario, at topology.Node, most int64) {
	recorder.On(ctx, s, at).Inject(ctx, trace.Rule{Method: "NodeGetInfo", Patch: fmt.Appendf(nil, `{"max_volumes_per_node": "%d"}`, most)})
}

// Limit returns the maximum number of the driver's volumes on the node, from its CSINode; nil is no limit.
func Limit(ctx context.Context, s *harness.Scenario, at topology.Node) (*int32, error) {
	registered := &storagev1.CSINode{}
	registered.Name = at.Name
	if err := s.Reread(ctx, registered); err != nil {
		return nil, err
	}
	return predicate.LimitIn(registered, s.Target.Driver)
}

// MustLimit waits for the CSINode to show the driver's limit of the node. A lasting mismatch is a warning by the
// requirement, and the result is false.
func MustLimit(ctx context.Context, s *harness.Scenario, at topology.Node, requirement string, most int64) bool {
	return s.PlatformMust(ctx, s.Target.Timeouts.Restart, requirement, "limit of node "+at.Name, func(ctx context.Context) error {
		found, err := Limit(ctx, s, at)
		if err != nil {
			return err
		}
		return predicate.LimitIs(at.Name, found, most)
	})
}
