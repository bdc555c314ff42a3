// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"
)

func TestLimits(t *testing.T) {
	node := &storagev1.CSINode{Spec: storagev1.CSINodeSpec{Drivers: []storagev1.CSINodeDriver{
		{Name: "any"}, {Name: "two", Allocatable: &storagev1.VolumeNodeResources{Count: ptr.To[int32](2)}},
	}}}
	limit := func(driver string) *int32 {
		found, err := LimitIn(node, driver)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	_, absent := LimitIn(node, "other")
	for _, test := range []struct {
		name  string
		given error
		want  string
	}{
		{"no limit", LimitIs("n", limit("any"), 0), satisfied},
		{"two", LimitIs("n", limit("two"), 2), satisfied},
		{"two of three", LimitIs("n", limit("two"), 3), differs},
		{"a limit where there is none", LimitIs("n", limit("two"), 0), differs},
		{"none where there is a limit", LimitIs("n", limit("any"), 2), differs},
		{"a driver that is not there", absent, notYet},
		{"as before", SameLimit("l", limit("two"), limit("two")), satisfied},
		{"not as before", SameLimit("l", limit("two"), limit("any")), differs},
	} {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, test.given, test.want) })
	}
}
