// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/evidence"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Group is a VolumeGroupSnapshot that is ready to use.
type Group struct {
	// Name is the name of the VolumeGroupSnapshot, and Content of its VolumeGroupSnapshotContent.
	Name, Content string
	// Handle is the driver's group_snapshot_id.
	Handle string
	// Members are the snapshots of its volumes.
	Members []Snapshot
}

// TakeGroup creates a VolumeGroupSnapshot of the volumes of all claims with the label, whose volumes have the given ids,
// with the given class parameters in addition to the profile's, and waits until it and its VolumeSnapshots are ready to
// use. The case is skipped if the driver does not take one group snapshot of these volumes, or no controller or no
// csi-snapshotter takes group snapshots. It returns false after a warning that the group is not of these volumes, or lacks
// a VolumeSnapshot of one.
func TakeGroup(ctx context.Context, s *harness.Scenario, label, value string, volumes []string, parameters map[string]string) (Group, bool) {
	all := map[string]string{}
	maps.Copy(all, s.Target.GroupSnapshotParameters)
	maps.Copy(all, parameters)
	class := workload.GroupSnapshotClass(s.Namespace, s.Target.Driver, all)
	removeGroupsAtEnd(s, class)
	object := workload.GroupSnapshotOf(s.Namespace, label, value, class)
	for _, created := range []*unstructured.Unstructured{class, object} {
		err := s.Resources().Create(ctx, created)
		if apierrors.IsForbidden(err) {
			suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not create a %s: %v", created.GetKind(), err)
		}
		s.Need(err, "creating a %s", created.GetKind())
	}
	meetController(ctx, s, object)
	content := meetSnapshotter(ctx, s, object)
	s.Until(ctx, s.Target.Timeouts.Snapshot, "VolumeGroupSnapshot "+object.GetName()+" ready to use", s.Look(object, func() error {
		if refusal := predicate.Ungrouped(object); refusal != "" {
			suite.Skip(suite.ByCapability, "the driver does not take one group snapshot of these volumes: %s", refusal)
		}
		return predicate.SnapshotReady(object)
	}))
	s.Need(s.Reread(ctx, content), "reading the content of VolumeGroupSnapshot %s", object.GetName())
	group := Group{Name: object.GetName(), Content: content.GetName()}
	group.Handle, _, _ = unstructured.NestedString(content.Object, "status", "volumeGroupSnapshotHandle")
	if err := predicate.GroupAnswered(content); err != nil {
		suite.Fail("VGS-03", "%v", err)
	}
	of := predicate.GroupOf(content, volumes)
	s.PlatformCheck(ctx, "K8S-N6", of)
	var ready []unstructured.Unstructured
	if of != nil || !s.PlatformMust(ctx, s.Target.Timeouts.Snapshot, "K8S-N6", "VolumeSnapshots of VolumeGroupSnapshot "+group.Name+" ready to use", func(ctx context.Context) error {
		there, err := objects(ctx, s, workload.SnapshotKind)
		if err != nil {
			return err
		}
		ready = slices.DeleteFunc(there, func(snapshot unstructured.Unstructured) bool { return groupOf(&snapshot) != group.Name })
		return predicate.GroupReady(group.Name, ready, len(volumes))
	}) {
		return group, false
	}
	for i := range ready {
		group.Members = append(group.Members, read(ctx, s, &ready[i]))
	}
	suite.Evidence(ctx, "VolumeGroupSnapshot "+group.Name, group)
	return group, true
}

// meetSnapshotter returns the content of the VolumeGroupSnapshot, once the driver's csi-snapshotter handles it. The case is
// skipped if the snapshotter takes no group snapshots.
func meetSnapshotter(ctx context.Context, s *harness.Scenario, object *unstructured.Unstructured) *unstructured.Unstructured {
	content := &unstructured.Unstructured{}
	noticed := func(ctx context.Context) error {
		if err := s.Reread(ctx, object); err != nil {
			return err
		}
		name, _, _ := unstructured.NestedString(object.Object, "status", "boundVolumeGroupSnapshotContentName")
		if name == "" {
			return fmt.Errorf("VolumeGroupSnapshot %s has no content", object.GetName())
		}
		content = workload.SnapshotObject(workload.GroupSnapshotContentKind, name)
		if err := s.Reread(ctx, content); err != nil {
			return err
		}
		return predicate.GroupNoticed(content)
	}
	if s.Within(ctx, s.Target.Timeouts.Notice, noticed) == nil {
		return content
	}
	s.Need(ctx.Err(), "looking for a csi-snapshotter that takes group snapshots")
	suite.Skip(suite.ByEnvironment, "needs a snapshot controller and a csi-snapshotter that take group snapshots, and none took up a VolumeGroupSnapshotContent within %s", s.Target.Timeouts.Notice)
	return nil
}

// MustDeleteGroup deletes the VolumeGroupSnapshot, and waits until its content and its members' contents are gone.
func MustDeleteGroup(ctx context.Context, s *harness.Scenario, group Group) {
	object := workload.SnapshotObject(workload.GroupSnapshotKind, group.Name)
	object.SetNamespace(s.Namespace)
	s.Need(s.Resources().Delete(ctx, object), "deleting VolumeGroupSnapshot %s", group.Name)
	s.Until(ctx, s.Target.Timeouts.Delete, "contents of VolumeGroupSnapshot "+group.Name+" deleted", func(ctx context.Context) error {
		content := workload.SnapshotObject(workload.GroupSnapshotContentKind, group.Content)
		problems := []error{harness.Gone(s.Reread(ctx, content), "VolumeGroupSnapshotContent "+group.Content)}
		for _, member := range group.Members {
			content := workload.SnapshotObject(workload.SnapshotContentKind, member.Content)
			problems = append(problems, harness.Gone(s.Reread(ctx, content), "VolumeSnapshotContent "+member.Content))
		}
		return errors.Join(problems...)
	})
}

// groupOf returns the name of the VolumeGroupSnapshot that the VolumeSnapshot is a member of.
func groupOf(snapshot *unstructured.Unstructured) string {
	name, _, _ := unstructured.NestedString(snapshot.Object, "status", "volumeGroupSnapshotName")
	return name
}

// removeGroupsAtEnd removes the group snapshots and their class when the case ends, and keeps them as evidence if it fails.
func removeGroupsAtEnd(s *harness.Scenario, class *unstructured.Unstructured) {
	ours := func(content *unstructured.Unstructured) bool { return isOurs(s, content) }
	groups, single := workload.GroupSnapshotVersion().Group, workload.SnapshotVersion().Group
	s.Leave(evidence.Kind{Group: groups, Kind: workload.GroupSnapshotKind, Namespace: s.Namespace},
		evidence.Kind{Group: groups, Kind: workload.GroupSnapshotContentKind, Keep: ours},
		evidence.Kind{Group: single, Kind: workload.SnapshotKind, Namespace: s.Namespace},
		evidence.Kind{Group: single, Kind: workload.SnapshotContentKind, Keep: ours})
	s.OncePodsAreGone(func(ctx context.Context) error { return deleteAllOf(ctx, s, workload.GroupSnapshotKind) })
	s.OnceClaimsAreGone(func(ctx context.Context) error {
		return errors.Join(s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
			return errors.Join(noneOurs(ctx, s, workload.GroupSnapshotContentKind), noneOurs(ctx, s, workload.SnapshotContentKind))
		}), s.Delete(ctx, class))
	})
}
