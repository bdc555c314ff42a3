// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"errors"
	"slices"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// publishedAgain deletes an object, or removes its label or its owner: the provisioner restores
// it.
func publishedAgain() []harness.Case {
	var cases []harness.Case
	for _, c := range []struct {
		id, text string
		tamper   func(context.Context, *harness.Scenario, *storagev1.CSIStorageCapacity) error
	}{
		{
			"published_again_deleted", "recreates a CSIStorageCapacity object that was deleted",
			func(ctx context.Context, s *harness.Scenario, object *storagev1.CSIStorageCapacity) error {
				return s.Resources().Delete(ctx, object)
			},
		},
		{
			"published_again_label", "creates another CSIStorageCapacity object when the label of its manager is removed",
			func(ctx context.Context, s *harness.Scenario, object *storagev1.CSIStorageCapacity) error {
				delete(object.Labels, "csi.storage.k8s.io/managed-by")
				return s.Resources().Update(ctx, object)
			},
		},
	} {
		cases = append(cases, harness.Case{
			ID: c.id, Text: c.text, Requirements: []string{"K8S-D12"},
			Needs: needs.All(needs.Zones(1), needs.OwnProvisioner()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(1)[0]
				driver := standin.Create(ctx, s, true)
				driver.RegisterIn(ctx, zone)
				provisioner := driver.StartProvisioner(ctx, publishing(zone.Name, gi(10).Value()))
				class := driver.CreateClass(ctx)
				provisioner.MustPublish(ctx, class, zone.Name, gi(10).Value())
				var before []storagev1.CSIStorageCapacity
				s.Need(s.Within(ctx, s.Target.Timeouts.Capacity, func(ctx context.Context) error {
					var err error
					if before, err = room.CapacityObjects(ctx, s, class); err == nil && len(before) == 0 {
						return errors.New("the class has no CSIStorageCapacity object")
					}
					for i := range before { // a provisioner that has just started may have created a second object
						err = errors.Join(err, c.tamper(ctx, s, before[i].DeepCopy()))
					}
					return err
				}), "tampering with the class's objects")

				s.PlatformMust(ctx, s.Target.Timeouts.Capacity, "K8S-D12", "object put right", func(ctx context.Context) error {
					objects, err := managed(ctx, s, class)
					if err != nil {
						return err
					}
					if err := predicate.OneObjectPerSegment(objects, driver.Segment(zone.Name)); err != nil {
						return err
					}
					return mustBeNew(before, &objects[0])
				})
			},
		})
	}
	return cases
}

// managed returns the objects of the class that have a manager.
func managed(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass) ([]storagev1.CSIStorageCapacity, error) {
	objects, err := room.CapacityObjects(ctx, s, class)
	var kept []storagev1.CSIStorageCapacity
	for _, object := range objects {
		if object.Labels["csi.storage.k8s.io/managed-by"] != "" {
			kept = append(kept, object)
		}
	}
	return kept, err
}

// mustBeNew returns an error if the object is one that was tampered with.
func mustBeNew(before []storagev1.CSIStorageCapacity, now *storagev1.CSIStorageCapacity) error {
	if slices.ContainsFunc(before, func(object storagev1.CSIStorageCapacity) bool { return object.UID == now.UID }) {
		return &predicate.Mismatch{Subject: "CSIStorageCapacity " + now.Name, Wanted: "a new object", Found: "the one that was tampered with"}
	}
	return nil
}
