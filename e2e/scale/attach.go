// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	attachedASecond column = "attached a second"
	detachedASecond column = "detached a second"
)

// attaching returns the experiments on csi-attacher.
func attaching() []Experiment {
	var all []Experiment
	for _, n := range []int{100, 1000} {
		with := func(name string, flags ...string) variant {
			attacher := sidecar{"csi-attacher", "v4.13.0"}
			return variant{name: name, sidecar: attacher, run: func(ctx context.Context, w *world) (figures, error) {
				return attach{volumes: n, flags: flags}.run(ctx, w, attacher)
			}}
		}
		all = append(all, Experiment{
			Name:     fmt.Sprintf("attach-%d", n),
			Question: fmt.Sprintf("How soon does csi-attacher v4.13.0 attach %d volumes, and detach them, with its defaults of 5 requests a second and 10 threads, and with ten times as much? The driver takes 1 s for each", n),
			Long:     n == 1000,
			compared: "flags", columns: []column{attachedASecond, detachedASecond},
			variants: []variant{
				with("defaults"),
				with("100 threads", "--worker-threads=100"),
				with("50 requests a second", "--kube-api-qps=50", "--kube-api-burst=100"),
				with("both", "--worker-threads=100", "--kube-api-qps=50", "--kube-api-burst=100"),
			},
		})
	}
	return all
}

// attach attaches volumes, ten to a node, and detaches them.
type attach struct {
	volumes int
	// flags are flags of csi-attacher that differ from its defaults.
	flags []string
}

func (a attach) run(ctx context.Context, w *world, version sidecar) (figures, error) {
	w.driver.attaches = true
	w.driver.answer(0, time.Second)
	if err := createNodes(ctx, w, 0, max(1, a.volumes/10)); err != nil {
		return nil, err
	}
	if err := each(ctx, 0, a.volumes, w.createVolume); err != nil {
		return nil, err
	}
	if _, err := w.startSidecar(ctx, version, a.flags...); err != nil {
		return nil, err
	}
	found := figures{}
	for _, step := range []struct {
		of     column
		change func(ctx context.Context) error
		// attachments and attached are their numbers at the end.
		attachments, attached int
	}{
		{attachedASecond, func(ctx context.Context) error { return each(ctx, 0, a.volumes, w.createAttachment) }, a.volumes, a.volumes},
		{detachedASecond, w.deleteAttachments, 0, 0},
	} {
		begin := time.Now()
		if err := step.change(ctx); err != nil {
			return nil, err
		}
		_, isDone, err := w.until(ctx, 250*time.Millisecond, patience, func(ctx context.Context) (bool, error) {
			attachments, attached, err := w.attachments(ctx)
			return attachments == step.attachments && attached == step.attached, err
		})
		if err != nil {
			return nil, err
		}
		if isDone {
			found[step.of] = float64(a.volumes) / time.Since(begin).Seconds()
		}
	}
	return found, nil
}

func volumeName(i int) string { return fmt.Sprintf("volume-%04d", i) }

func (w *world) createVolume(ctx context.Context, i int) error {
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: volumeName(i)}, Spec: corev1.PersistentVolumeSpec{
		Capacity:               corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")},
		AccessModes:            []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		PersistentVolumeSource: corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: driverName, VolumeHandle: volumeName(i)}},
	}}
	if _, err := w.CoreV1().PersistentVolumes().Create(ctx, volume, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating PersistentVolume %s: %w", volume.Name, err)
	}
	return nil
}

func (w *world) createAttachment(ctx context.Context, i int) error {
	name := volumeName(i)
	attachment := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: storagev1.VolumeAttachmentSpec{
		Attacher: driverName, NodeName: nodeName(i / 10), Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: &name},
	}}
	if _, err := w.StorageV1().VolumeAttachments().Create(ctx, attachment, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating VolumeAttachment %s: %w", name, err)
	}
	return nil
}

func (w *world) deleteAttachments(ctx context.Context) error {
	if err := w.StorageV1().VolumeAttachments().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return fmt.Errorf("deleting VolumeAttachments: %w", err)
	}
	return nil
}

// attachments returns the number of VolumeAttachments, and of attached ones among them.
func (w *world) attachments(ctx context.Context) (all, attached int, err error) {
	list, err := w.StorageV1().VolumeAttachments().List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0, 0, fmt.Errorf("listing VolumeAttachments: %w", err)
	}
	for _, attachment := range list.Items {
		if attachment.Status.Attached {
			attached++
		}
	}
	return len(list.Items), attached, nil
}
