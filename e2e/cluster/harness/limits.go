// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// ShortestUpdatePeriod is the shortest after which a kubelet may be told to ask a driver again how many volumes its node
// takes.
const ShortestUpdatePeriod = 10 * time.Second

// UpdateLimits has the kubelets ask the driver in this period how many volumes their nodes take, until the case ends. It
// ends once they know again what they knew before of this node.
func (s *Scenario) UpdateLimits(ctx context.Context, at Node, period time.Duration) {
	before, err := s.Limit(ctx, at)
	s.Need(err, "reading the limit of node %s", at.Name)
	driver := &storagev1.CSIDriver{}
	driver.Name = s.Target.Driver
	s.Need(s.Reread(ctx, driver), "reading CSIDriver %s", driver.Name)
	was := driver.Spec.NodeAllocatableUpdatePeriodSeconds
	s.undo = append(s.undo, func(ctx context.Context) error {
		// Only by being asked again does the driver say what is true of the node.
		if err := s.setUpdatePeriod(ctx, driver, ptr.To(seconds(ShortestUpdatePeriod))); err != nil {
			return err
		}
		if err := s.poll(ctx, s.Target.Timeouts.Restart, func(ctx context.Context) error {
			now, err := s.Limit(ctx, at)
			if err != nil {
				return err
			}
			return predicate.SameLimit("limit of node "+at.Name, before, now)
		}); err != nil {
			return err
		}
		return s.setUpdatePeriod(ctx, driver, was)
	})
	s.Need(s.setUpdatePeriod(ctx, driver, ptr.To(seconds(period))), "having kubelets ask for limits again")
	s.Need(s.Reread(ctx, driver), "reading CSIDriver %s", driver.Name)
	if driver.Spec.NodeAllocatableUpdatePeriodSeconds == nil {
		suite.Skip(suite.ByEnvironment, "this Kubernetes does not have kubelets ask again how many volumes a node takes: "+
			"it needs 1.35 or later, or 1.34 with the feature gate MutableCSINodeAllocatableCount")
	}
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

func (s *Scenario) setUpdatePeriod(ctx context.Context, driver *storagev1.CSIDriver, period *int64) error {
	data, err := json.Marshal(map[string]any{"spec": map[string]any{"nodeAllocatableUpdatePeriodSeconds": period}})
	if err != nil {
		return err
	}
	if err := s.Resources().Patch(ctx, driver, k8s.Patch{PatchType: types.MergePatchType, Data: data}); err != nil {
		return fmt.Errorf("changing CSIDriver %s: %w", driver.Name, err)
	}
	return nil
}

// AnswerLimit has the driver on the node answer, until the case ends, that it takes no more than so many volumes there.
func (s *Scenario) AnswerLimit(ctx context.Context, at Node, most int64) {
	s.RecorderOn(ctx, at).Inject(ctx, trace.Rule{Method: "NodeGetInfo", Patch: fmt.Appendf(nil, `{"max_volumes_per_node": "%d"}`, most)})
}

// Limit is how many volumes of the driver the scheduler may have on the node, as its CSINode says; nil for any number.
func (s *Scenario) Limit(ctx context.Context, at Node) (*int32, error) {
	registered := &storagev1.CSINode{}
	registered.Name = at.Name
	if err := s.Reread(ctx, registered); err != nil {
		return nil, err
	}
	return predicate.LimitIn(registered, s.Target.Driver)
}

// MustLimit waits for the CSINode to say what the driver says of the node. One that keeps saying something else is a warning
// by the requirement, and false.
func (s *Scenario) MustLimit(ctx context.Context, at Node, requirement string, most int64) bool {
	return s.PlatformMust(ctx, s.Target.Timeouts.Restart, requirement, "limit of node "+at.Name, func(ctx context.Context) error {
		found, err := s.Limit(ctx, at)
		if err != nil {
			return err
		}
		return predicate.LimitIs(at.Name, found, most)
	})
}

// MustFail waits for the kubelet to fail the pod for this reason. One that does not is a warning by the requirement, and
// false.
func (s *Scenario) MustFail(ctx context.Context, pod *corev1.Pod, requirement, reason string, limit time.Duration) bool {
	failed := s.PlatformMust(ctx, limit, requirement, "pod "+pod.Name+" failed by its kubelet", s.Look(pod, func() error {
		return predicate.PodFailed(pod, reason)
	}))
	suite.Evidence(ctx, "status of pod "+pod.Name, pod.Status)
	return failed
}
