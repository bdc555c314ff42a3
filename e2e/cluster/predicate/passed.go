// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// VolumeAsClaimed requires the volume to have the access modes and the volumeMode of the claim that it was created for.
func VolumeAsClaimed(volume *corev1.PersistentVolume, claim *corev1.PersistentVolumeClaim) error {
	wanted, found := claim.Spec.AccessModes, volume.Spec.AccessModes
	if !slices.Equal(slices.Sorted(slices.Values(wanted)), slices.Sorted(slices.Values(found))) {
		return finalMismatch("accessModes of volume "+volume.Name, fieldText(wanted), fieldText(found))
	}
	asked, made := ptr.Deref(claim.Spec.VolumeMode, corev1.PersistentVolumeFilesystem), ptr.Deref(volume.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	if asked != made {
		return finalMismatch("volumeMode of volume "+volume.Name, string(asked), string(made))
	}
	return nil
}

// VolumeAsClass requires the volume, which has a file system, to have this fsType and the mountOptions of its class.
func VolumeAsClass(volume *corev1.PersistentVolume, class *storagev1.StorageClass, fsType string) error {
	if !slices.Equal(volume.Spec.MountOptions, class.MountOptions) {
		return finalMismatch("mountOptions of volume "+volume.Name, fieldText(class.MountOptions), fieldText(volume.Spec.MountOptions))
	}
	if found := volume.Spec.CSI.FSType; found != fsType {
		return finalMismatch("fsType of volume "+volume.Name, fmt.Sprintf("%q", fsType), fmt.Sprintf("%q", found))
	}
	return nil
}

// AskedToMount requires the calls of the method, at least one, to have asked for a mount with this file system and
// these options.
func AskedToMount(calls []trace.Call, fsType string, options []string, method string) error {
	if err := Called(calls, method); err != nil {
		return err
	}
	type mount struct {
		FSType string   `json:"fs_type"`
		Flags  []string `json:"mount_flags"`
	}
	type capability struct {
		Mount mount `json:"mount"`
	}
	wanted := mount{fsType, options}
	for _, call := range CallsOf(calls, method) {
		var request struct {
			One  *capability  `json:"volume_capability"`
			Many []capability `json:"volume_capabilities"`
		}
		if err := json.Unmarshal(call.Request, &request); err != nil {
			return fmt.Errorf("reading the request of %s: %w", call.Method, err)
		}
		if request.One != nil {
			request.Many = append(request.Many, *request.One)
		}
		if len(request.Many) == 0 {
			return finalMismatch("volume capability of "+method, fieldText(wanted), "none")
		}
		for _, found := range request.Many {
			if found.Mount.FSType != fsType || !slices.Equal(found.Mount.Flags, options) {
				return finalMismatch("mount in the volume capability of "+method, fieldText(wanted), fieldText(found.Mount))
			}
		}
	}
	return nil
}

// HasParameters requires each call, at least one, to have exactly these parameters.
func HasParameters(calls []trace.Call, wanted map[string]string) error {
	if len(calls) == 0 {
		return errors.New("no call was made")
	}
	for _, call := range calls {
		var request struct{ Parameters map[string]string }
		if err := json.Unmarshal(call.Request, &request); err != nil {
			return fmt.Errorf("reading the parameters of %s: %w", call.Method, err)
		}
		if !maps.Equal(request.Parameters, wanted) {
			return finalMismatch("parameters of "+path.Base(call.Method), text(wanted), text(request.Parameters))
		}
	}
	return nil
}
