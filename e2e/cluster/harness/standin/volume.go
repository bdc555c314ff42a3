// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Volume is a volume of a driver without a server, and a pod that is scheduled to use it.
type Volume struct {
	s      *harness.Scenario
	volume *corev1.PersistentVolume
	pod    *corev1.Pod
}

// StartWith creates a volume of the driver, and a pod that mounts it in addition to its other volumes.
func StartWith(ctx context.Context, s *harness.Scenario, driver *StandIn, pod *workload.Pod) *Volume {
	class := driver.CreateClass(ctx)
	claim := claims.Create(ctx, s, class)
	v := &Volume{s: s, volume: claims.CreateVolume(ctx, s, workload.VolumeFor(claim, class).Size(s.Target.VolumeSize))}
	v.pod = pods.Create(ctx, s, pod.And(claim))
	pods.MustBeScheduled(ctx, s, v.pod)
	return v
}

// MustWaitForAttachment waits for the volume to have a VolumeAttachment, which does not become attached before Remove.
func (v *Volume) MustWaitForAttachment(ctx context.Context) {
	v.s.Until(ctx, v.s.Target.Timeouts.Run, "VolumeAttachment of volume "+v.volume.Name, func(ctx context.Context) error {
		attachments, err := v.attachments(ctx)
		if err != nil {
			return err
		}
		_, err = predicate.AttachmentOf(attachments, v.volume.Name)
		return err
	})
}

// MustBeMountedUnattached waits for the kubelet to report that the driver is not registered, which it only finds once
// the volume is attached or need not be, and warns by the requirement if there is a VolumeAttachment.
func (v *Volume) MustBeMountedUnattached(ctx context.Context, requirement string) {
	const tried = "not found in the list of registered CSI drivers"
	v.s.PlatformMust(ctx, v.s.Target.Timeouts.Run, requirement, "kubelet tried to mount volume "+v.volume.Name, func(ctx context.Context) error {
		if err := v.detached(ctx); err != nil {
			return err
		}
		return predicate.EventSays(v.s.Events(), v.pod.UID, "FailedMount", tried)
	})
}

// Remove deletes the pod, and waits until the volume has no VolumeAttachment.
func (v *Volume) Remove(ctx context.Context) {
	pods.Remove(ctx, v.s, v.pod)
	v.s.Need(v.attach(ctx), "saying that volume %s is attached", v.volume.Name)
	v.s.Need(v.s.Within(ctx, v.s.Target.Timeouts.Detach, v.detached), "waiting for volume %s to be detached", v.volume.Name)
}

// attach marks the volume as attached: otherwise Kubernetes waits for two minutes before it does anything else with it.
func (v *Volume) attach(ctx context.Context) error {
	attachments, err := v.attachments(ctx)
	if err != nil {
		return err
	}
	for _, attachment := range attachments {
		_, err := v.s.Kube.StorageV1().VolumeAttachments().Patch(ctx, attachment.Name, types.MergePatchType,
			[]byte(`{"status":{"attached":true}}`), metav1.PatchOptions{}, "status")
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("changing VolumeAttachment %s: %w", attachment.Name, err)
		}
	}
	return nil
}

// attachments returns the VolumeAttachments of the volume's driver.
func (v *Volume) attachments(ctx context.Context) ([]storagev1.VolumeAttachment, error) {
	return harness.AttachmentsOf(ctx, v.s, v.volume.Spec.CSI.Driver)
}

// detached returns a mismatch if the volume has a VolumeAttachment.
func (v *Volume) detached(ctx context.Context) error {
	attachments, err := v.attachments(ctx)
	if err != nil {
		return err
	}
	return predicate.Detached(attachments, v.volume.Name)
}
