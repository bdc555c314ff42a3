// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/evidence"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Group is a VolumeGroupSnapshot that is ready to use.
type Group struct {
	// Name is that of the VolumeGroupSnapshot, and Content of its VolumeGroupSnapshotContent.
	Name, Content string
	// Asked is the name by which the snapshotter asks the driver for it.
	Asked string
	// Members are the snapshots of its volumes.
	Members []Snapshot
}

// TakeGroup creates a VolumeGroupSnapshot of the volumes of all claims with the label, with these parameters of its class
// besides the profile's, and waits until it is ready to use, and has so many VolumeSnapshots: other numbers are a warning, and
// false. Where no controller takes it up, the case is skipped.
func TakeGroup(ctx context.Context, s *harness.Scenario, label, value string, members int, parameters map[string]string) (Group, bool) {
	all := map[string]string{}
	maps.Copy(all, s.Target.GroupSnapshotParameters)
	maps.Copy(all, parameters)
	class := workload.GroupSnapshotClass(s.Namespace, s.Target.Driver, all)
	s.Need(s.Resources().Create(ctx, class), "creating VolumeGroupSnapshotClass %s", class.GetName())
	leaveNoGroup(s, class)
	object := workload.GroupSnapshotOf(s.Namespace, label, value, class)
	s.Need(s.Resources().Create(ctx, object), "creating a VolumeGroupSnapshot")
	meetController(ctx, s, object)
	s.Until(ctx, s.Target.Timeouts.Snapshot, "VolumeGroupSnapshot "+object.GetName()+" ready to use", s.Look(object, func() error {
		return predicate.SnapshotReady(object)
	}))
	group := Group{Name: object.GetName(), Asked: "groupsnapshot-" + string(object.GetUID())}
	group.Content, _, _ = unstructured.NestedString(object.Object, "status", "boundVolumeGroupSnapshotContentName")
	var ready []unstructured.Unstructured
	if !s.PlatformMust(ctx, s.Target.Timeouts.Notice, "K8S-N6", "VolumeSnapshots of VolumeGroupSnapshot "+group.Name+" ready to use", func(ctx context.Context) error {
		there, err := objects(ctx, s, workload.SnapshotKind)
		if err != nil {
			return err
		}
		ready = slices.DeleteFunc(there, func(snapshot unstructured.Unstructured) bool { return groupOf(&snapshot) != group.Name })
		return predicate.GroupReady(group.Name, ready, members)
	}) {
		return group, false
	}
	for i := range ready {
		group.Members = append(group.Members, read(ctx, s, &ready[i]))
	}
	suite.Evidence(ctx, "VolumeGroupSnapshot "+group.Name, group)
	return group, true
}

// MustDeleteGroup deletes the VolumeGroupSnapshot, and waits until its content and those of its members are gone.
func MustDeleteGroup(ctx context.Context, s *harness.Scenario, group Group) {
	object := workload.GroupSnapshotObject(workload.GroupSnapshotKind, group.Name)
	object.SetNamespace(s.Namespace)
	s.Need(s.Resources().Delete(ctx, object), "deleting VolumeGroupSnapshot %s", group.Name)
	s.Until(ctx, s.Target.Timeouts.Delete, "contents of VolumeGroupSnapshot "+group.Name+" deleted", func(ctx context.Context) error {
		content := workload.GroupSnapshotObject(workload.GroupSnapshotContentKind, group.Content)
		problems := []error{harness.Gone(s.Reread(ctx, content), "VolumeGroupSnapshotContent "+group.Content)}
		for _, member := range group.Members {
			content := workload.SnapshotObject(workload.SnapshotContentKind, member.Content)
			problems = append(problems, harness.Gone(s.Reread(ctx, content), "VolumeSnapshotContent "+member.Content))
		}
		return errors.Join(problems...)
	})
}

// groupOf is the VolumeGroupSnapshot that the VolumeSnapshot is a member of.
func groupOf(snapshot *unstructured.Unstructured) string {
	name, _, _ := unstructured.NestedString(snapshot.Object, "status", "volumeGroupSnapshotName")
	return name
}

// leaveNoGroup has the group snapshots and their class removed when the case ends, and shown in what it leaves if it fails.
func leaveNoGroup(s *harness.Scenario, class *unstructured.Unstructured) {
	version := workload.GroupSnapshotVersion()
	s.Leave(evidence.Kind{Group: version.Group, Kind: workload.GroupSnapshotKind, Namespace: s.Namespace},
		evidence.Kind{Group: workload.SnapshotVersion().Group, Kind: workload.SnapshotKind, Namespace: s.Namespace})
	all := func(ctx context.Context) ([]unstructured.Unstructured, error) {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(version.WithKind(workload.GroupSnapshotKind + "List"))
		if err := s.Resources().List(ctx, list); err != nil {
			return nil, fmt.Errorf("listing objects of kind %s: %w", workload.GroupSnapshotKind, err)
		}
		return list.Items, nil
	}
	s.OncePodsAreGone(func(ctx context.Context) error {
		left, err := all(ctx)
		problems := []error{err}
		for _, snapshot := range left {
			problems = append(problems, s.Delete(ctx, &snapshot))
		}
		return errors.Join(problems...)
	})
	s.OnceClaimsAreGone(func(ctx context.Context) error {
		return errors.Join(s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
			left, err := all(ctx)
			if err == nil && len(left) > 0 {
				err = fmt.Errorf("VolumeGroupSnapshot %s is still there", left[0].GetName())
			}
			return errors.Join(err, noneOurs(ctx, s))
		}), s.Delete(ctx, class))
	})
}
