package harness

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/e2e-framework/klient/k8s"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/judge"
)

// showObjects puts the case's objects into its evidence, as they are when it failed.
func (s *Scenario) showObjects(ctx context.Context) {
	judge.Evidence(ctx, "events", predicate.EventLines(s.Events()))
	for name, list := range map[string]k8s.ObjectList{
		"pods": &corev1.PodList{}, "claims": &corev1.PersistentVolumeClaimList{}, "statefulSets": &appsv1.StatefulSetList{},
	} {
		if err := s.Resources().List(ctx, list); err != nil {
			judge.Evidence(ctx, name, err)
			continue
		}
		// Who wrote which field is noise here.
		_ = meta.EachListItem(list, func(object runtime.Object) error {
			if accessor, err := meta.Accessor(object); err == nil {
				accessor.SetManagedFields(nil)
			}
			return nil
		})
		judge.Evidence(ctx, name, list)
	}
	if volumes, err := s.persistentVolumes(ctx); err == nil {
		judge.Evidence(ctx, "persistentVolumes", volumes)
	}
	if attachments, err := s.ownAttachments(ctx); err == nil {
		judge.Evidence(ctx, "volumeAttachments", attachments)
	}
	for _, class := range s.classes {
		if objects, err := s.CapacityObjects(ctx, class); err == nil && len(objects) > 0 {
			judge.Evidence(ctx, "CSIStorageCapacity of class "+class.Name, objects)
		}
	}
}
