// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestVolumeAsClaimed(t *testing.T) {
	const once, many, read = corev1.ReadWriteOnce, corev1.ReadWriteMany, corev1.ReadOnlyMany
	type modes = []corev1.PersistentVolumeAccessMode
	block, mounted := ptr.To(corev1.PersistentVolumeBlock), ptr.To(corev1.PersistentVolumeFilesystem)
	for _, test := range []struct {
		name                  string
		claimed, made         modes
		claimedMode, madeMode *corev1.PersistentVolumeMode
		want                  string
	}{
		{"as claimed", modes{once}, modes{once}, mounted, mounted, satisfied},
		{"in another order", modes{many, read}, modes{read, many}, mounted, mounted, satisfied},
		{"with a mode less", modes{many, read}, modes{many}, mounted, mounted, forGood},
		{"with a mode more", modes{once}, modes{once, many}, mounted, mounted, forGood},
		{"a device", modes{once}, modes{once}, block, block, satisfied},
		{"a file system for a device", modes{once}, modes{once}, block, mounted, forGood},
		{"a file system for a device, by default", modes{once}, modes{once}, block, nil, forGood},
		{"a file system, by default", modes{once}, modes{once}, mounted, nil, satisfied},
		{"a device for a file system", modes{once}, modes{once}, nil, block, forGood},
	} {
		t.Run(test.name, func(t *testing.T) {
			claim, volume := &corev1.PersistentVolumeClaim{}, &corev1.PersistentVolume{}
			claim.Spec.AccessModes, claim.Spec.VolumeMode = test.claimed, test.claimedMode
			volume.Spec.AccessModes, volume.Spec.VolumeMode = test.made, test.madeMode
			wantVerdict(t, VolumeAsClaimed(volume, claim), test.want)
		})
	}
}

func TestVolumeAsClass(t *testing.T) {
	class := &storagev1.StorageClass{MountOptions: []string{"noatime", "nodiratime"}}
	for _, test := range []struct {
		name    string
		options []string
		fsType  string
		want    string
		says    []string
	}{
		{"as the class says", class.MountOptions, "ext4", satisfied, nil},
		{"without mountOptions", nil, "ext4", forGood, []string{"noatime"}},
		{"with one of them", class.MountOptions[:1], "ext4", forGood, []string{"nodiratime"}},
		{"with another file system", class.MountOptions, "xfs", forGood, []string{"xfs", "ext4"}},
		{"without a file system", class.MountOptions, "", forGood, []string{"ext4"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			volume := &corev1.PersistentVolume{}
			volume.Spec.MountOptions, volume.Spec.CSI = test.options, &corev1.CSIPersistentVolumeSource{FSType: test.fsType}
			wantVerdict(t, VolumeAsClass(volume, class, "ext4"), test.want, test.says...)
		})
	}
}

func TestAskedToMount(t *testing.T) {
	const mount = `{"mount":{"fs_type":"ext4","mount_flags":["noatime"]},"access_mode":{"mode":"SINGLE_NODE_WRITER"}}`
	stage := func(capability string) trace.Call {
		return trace.Call{Method: "/csi.v1.Node/NodeStageVolume", Request: []byte(`{"volume_capability":` + capability + `}`)}
	}
	create := func(capabilities string) trace.Call {
		return trace.Call{Method: "/csi.v1.Controller/CreateVolume", Request: []byte(`{"volume_capabilities":[` + capabilities + `]}`)}
	}
	const plain = `{"mount":{"fs_type":"ext4"}}`
	for _, test := range []struct {
		name   string
		calls  []trace.Call
		method string
		want   string
	}{
		{"staged as asked", calls(stage(mount), stage(mount)), "NodeStageVolume", satisfied},
		{"created as asked, in two modes", calls(create(mount + "," + mount)), "CreateVolume", satisfied},
		{"created otherwise in one mode", calls(create(mount + "," + plain)), "CreateVolume", forGood},
		{"created for no capability", calls(create("")), "CreateVolume", forGood},
		{"staged without options", calls(stage(mount), stage(plain)), "NodeStageVolume", forGood},
		{"staged with another file system", calls(stage(`{"mount":{"fs_type":"xfs","mount_flags":["noatime"]}}`)), "NodeStageVolume", forGood},
		{"staged with an option more", calls(stage(`{"mount":{"fs_type":"ext4","mount_flags":["noatime","ro"]}}`)), "NodeStageVolume", forGood},
		{"staged as a device", calls(stage(`{"block":{}}`)), "NodeStageVolume", forGood},
		{"never published", calls(stage(mount)), "NodePublishVolume", notYet},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, AskedToMount(test.calls, "ext4", []string{"noatime"}, test.method), test.want)
		})
	}
}

func TestHasParameters(t *testing.T) {
	wanted := map[string]string{"flavour": "plain", "csi.storage.k8s.io/pvc/name": "data"}
	for _, test := range []struct {
		name, parameters string
		want             string
	}{
		{"these", `{"flavour":"plain","csi.storage.k8s.io/pvc/name":"data"}`, satisfied},
		{"one less", `{"flavour":"plain"}`, forGood},
		{"one of another value", `{"flavour":"plain","csi.storage.k8s.io/pvc/name":"other"}`, forGood},
		{"one of the sidecars besides", `{"flavour":"plain","csi.storage.k8s.io/pvc/name":"data","csi.storage.k8s.io/fstype":"ext4"}`, forGood},
		{"none", `{}`, forGood},
	} {
		t.Run(test.name, func(t *testing.T) {
			call := trace.Call{Method: "/csi.v1.Controller/CreateVolume", Request: []byte(`{"parameters":` + test.parameters + `}`)}
			wantVerdict(t, HasParameters(calls(call), wanted), test.want)
		})
	}
	wantVerdict(t, HasParameters(nil, nil), notYet)
}
