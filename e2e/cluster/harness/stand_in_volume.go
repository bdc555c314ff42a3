// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// StandInVolume is a volume of a driver that nobody serves, and a pod that is given a node to use it there.
type StandInVolume struct {
	s      *Scenario
	volume *corev1.PersistentVolume
	pod    *corev1.Pod
}

// StartWithStandIn creates a volume of the driver, and has the pod mount it besides what it mounts already.
func (s *Scenario) StartWithStandIn(ctx context.Context, driver *StandIn, pod *workload.Pod) *StandInVolume {
	class := driver.CreateClass(ctx)
	claim := s.CreateClaim(ctx, class)
	v := &StandInVolume{s: s, volume: s.CreateVolume(ctx, workload.VolumeFor(claim, class).Size(s.Target.VolumeSize))}
	v.pod = s.CreatePod(ctx, pod.And(claim))
	s.MustBeScheduled(ctx, v.pod)
	return v
}

// MustWaitForAttachment waits for the volume to have a VolumeAttachment, which nobody makes true before Remove.
func (v *StandInVolume) MustWaitForAttachment(ctx context.Context) {
	v.s.Until(ctx, v.s.Target.Timeouts.Run, "VolumeAttachment of volume "+v.volume.Name, func(ctx context.Context) error {
		attachments, err := v.attachments(ctx)
		if err != nil {
			return err
		}
		_, err = predicate.AttachmentOf(attachments, v.volume.Name)
		return err
	})
}

// MustBeMountedUnattached waits for the kubelet to say that nobody serves the driver, which it asks only once the volume
// is attached or need not be, and wants no VolumeAttachment then.
func (v *StandInVolume) MustBeMountedUnattached(ctx context.Context, requirement string) {
	const tried = "not found in the list of registered CSI drivers"
	v.s.PlatformMust(ctx, v.s.Target.Timeouts.Run, requirement, "kubelet tried to mount volume "+v.volume.Name, func(ctx context.Context) error {
		attachments, err := v.attachments(ctx)
		if err != nil {
			return err
		}
		if err := predicate.Detached(attachments, v.volume.Name); err != nil {
			return err
		}
		return predicate.EventSays(v.s.Events(), v.pod.UID, "FailedMount", tried)
	})
}

// Remove deletes the pod, and waits until the volume has no VolumeAttachment.
func (v *StandInVolume) Remove(ctx context.Context) {
	v.s.Remove(ctx, v.pod)
	v.s.Need(v.attach(ctx), "saying that volume %s is attached", v.volume.Name)
	v.s.Need(v.s.poll(ctx, v.s.Target.Timeouts.Detach, func(ctx context.Context) error {
		attachments, err := v.attachments(ctx)
		if err != nil {
			return err
		}
		return predicate.Detached(attachments, v.volume.Name)
	}), "waiting for volume %s to be detached", v.volume.Name)
}

// attach says that the volume is attached, for which Kubernetes waits for two minutes before it does anything else with it.
func (v *StandInVolume) attach(ctx context.Context) error {
	attachments, err := v.attachments(ctx)
	if err != nil {
		return err
	}
	for _, attachment := range attachments {
		_, err := v.s.kube.StorageV1().VolumeAttachments().Patch(ctx, attachment.Name, types.MergePatchType,
			[]byte(`{"status":{"attached":true}}`), metav1.PatchOptions{}, "status")
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("changing VolumeAttachment %s: %w", attachment.Name, err)
		}
	}
	return nil
}

// attachments are those of the volume's driver.
func (v *StandInVolume) attachments(ctx context.Context) ([]storagev1.VolumeAttachment, error) {
	var list storagev1.VolumeAttachmentList
	if err := v.s.Resources().List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing VolumeAttachments: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(attachment storagev1.VolumeAttachment) bool {
		return attachment.Spec.Attacher != v.volume.Spec.CSI.Driver
	}), nil
}
