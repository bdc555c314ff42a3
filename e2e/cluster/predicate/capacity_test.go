// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func capacityObject(segment Segment, change func(*storagev1.CSIStorageCapacity)) storagev1.CSIStorageCapacity {
	quantity := resource.MustParse("10Gi")
	object := storagev1.CSIStorageCapacity{
		ObjectMeta:   metav1.ObjectMeta{Name: "csisc-1", Labels: map[string]string{driverNameLabel: "hostpath.topo.csi", managedByLabel: "external-provisioner"}},
		NodeTopology: &metav1.LabelSelector{MatchLabels: segment},
		Capacity:     &quantity,
	}
	if change != nil {
		change(&object)
	}
	return object
}

func TestOneCapacityPerSegment(t *testing.T) {
	segments := []Segment{z2, z3}
	tests := []struct {
		name    string
		objects []storagev1.CSIStorageCapacity
		want    string
	}{
		{"one each", []storagev1.CSIStorageCapacity{capacityObject(z3, nil), capacityObject(z2, nil)}, satisfied},
		{"one is missing", []storagev1.CSIStorageCapacity{capacityObject(z2, nil)}, notYet},
		{"one is doubled", []storagev1.CSIStorageCapacity{capacityObject(z2, nil), capacityObject(z3, nil), capacityObject(z3, nil)}, notYet},
		{"one is of another segment", []storagev1.CSIStorageCapacity{capacityObject(z2, nil), capacityObject(z4, nil)}, differs},
		{"a key less", []storagev1.CSIStorageCapacity{capacityObject(z2, nil), capacityObject(Segment{"zone": "Z3"}, nil)}, differs},
		{"no topology", []storagev1.CSIStorageCapacity{capacityObject(z2, func(o *storagev1.CSIStorageCapacity) { o.NodeTopology = nil })}, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, OneCapacityPerSegment(test.objects, segments), test.want)
		})
	}
}

func TestCapacityLabels(t *testing.T) {
	tests := []struct {
		name   string
		change func(*storagev1.CSIStorageCapacity)
		want   string
	}{
		{"both labels", nil, satisfied},
		{"another driver's label", func(o *storagev1.CSIStorageCapacity) { o.Labels[driverNameLabel] = "other" }, differs},
		{"nobody manages it", func(o *storagev1.CSIStorageCapacity) { delete(o.Labels, managedByLabel) }, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			objects := []storagev1.CSIStorageCapacity{capacityObject(z3, nil), capacityObject(z2, test.change)}
			wantVerdict(t, CapacityLabels(objects, "hostpath.topo.csi"), test.want)
		})
	}
}

func TestCapacityOf(t *testing.T) {
	objects := []storagev1.CSIStorageCapacity{
		capacityObject(z2, nil),
		capacityObject(z3, func(o *storagev1.CSIStorageCapacity) { o.Capacity = nil }),
	}
	bytes, err := CapacityOf(objects, z2)
	wantVerdict(t, err, satisfied)
	if want := int64(10 << 30); bytes != want {
		t.Errorf("capacity %d, wanted %d", bytes, want)
	}
	_, err = CapacityOf(objects, z3)
	wantVerdict(t, err, notYet, "no capacity")
	_, err = CapacityOf(objects, z4)
	wantVerdict(t, err, notYet, "zone=Z4")
}

func TestBytes(t *testing.T) {
	wantVerdict(t, Fewer("room", 99, 100), satisfied)
	wantVerdict(t, Fewer("room", 100, 100), differs, "less than 100", "100 bytes")
	wantVerdict(t, AtLeast("room", 100, 100), satisfied)
	wantVerdict(t, AtLeast("room", 99, 100), differs, "at least 100")
	wantVerdict(t, Equal("room", 100, 100), satisfied)
	wantVerdict(t, Equal("room", 101, 100), differs, "101")
}
