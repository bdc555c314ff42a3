// SPDX-License-Identifier: Apache-2.0

package snapshots

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/evidence"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// leaveNothing removes the snapshots when the case ends, and keeps them as evidence if it fails.
func (taken *taken) leaveNothing(s *harness.Scenario) {
	ours := func(content *unstructured.Unstructured) bool { return isOurs(s, content) }
	group := workload.SnapshotVersion().Group
	s.Leave(evidence.Kind{Group: group, Kind: workload.SnapshotKind, Namespace: s.Namespace}, evidence.Kind{Group: group, Kind: workload.SnapshotContentKind, Keep: ours})
	s.OncePodsAreGone(func(ctx context.Context) error { return deleteAll(ctx, s) })
	s.OnceClaimsAreGone(func(ctx context.Context) error { return removeAll(ctx, s, taken.class) })
	s.AtEnd(func(ctx context.Context) {
		if !s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) {
			return
		}
		for _, snapshot := range slices.Clone(taken.ready) {
			ShouldNotList(ctx, s, snapshot)
		}
	})
}

// removeAll waits until the contents of the case's snapshots are gone, and deletes their class.
func removeAll(ctx context.Context, s *harness.Scenario, class *unstructured.Unstructured) error {
	return errors.Join(s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error { return noneOurs(ctx, s, workload.SnapshotContentKind) }), s.Delete(ctx, class))
}

// noneOurs returns an error if a content of the kind belongs to a snapshot of the case.
func noneOurs(ctx context.Context, s *harness.Scenario, kind string) error {
	contents, err := objects(ctx, s, kind)
	if err != nil {
		return err
	}
	for _, content := range contents {
		if isOurs(s, &content) {
			return fmt.Errorf("%s %s is still there", kind, content.GetName())
		}
	}
	return nil
}

// deleteAll deletes the case's VolumeSnapshots, without waiting.
func deleteAll(ctx context.Context, s *harness.Scenario) error {
	return deleteAllOf(ctx, s, workload.SnapshotKind)
}

func deleteAllOf(ctx context.Context, s *harness.Scenario, kind string) error {
	all, err := objects(ctx, s, kind)
	problems := []error{err}
	for _, object := range all {
		problems = append(problems, s.Delete(ctx, &object))
	}
	return errors.Join(problems...)
}

// isOurs reports whether the content belongs to a snapshot or a group snapshot of the case.
func isOurs(s *harness.Scenario, content *unstructured.Unstructured) bool {
	one, _, _ := unstructured.NestedString(content.Object, "spec", "volumeSnapshotRef", "namespace")
	group, _, _ := unstructured.NestedString(content.Object, "spec", "volumeGroupSnapshotRef", "namespace")
	return one == s.Namespace || group == s.Namespace
}

// objects returns the objects of the kind, in the case's namespace if they have one.
func objects(ctx context.Context, s *harness.Scenario, kind string) ([]unstructured.Unstructured, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(workload.SnapshotObject(kind+"List", "").GroupVersionKind())
	if err := s.Resources().List(ctx, list); err != nil {
		return nil, fmt.Errorf("listing objects of kind %s: %w", kind, err)
	}
	return list.Items, nil
}
