// SPDX-License-Identifier: Apache-2.0

package volume_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
)

func TestKinds(t *testing.T) {
	for _, test := range []struct {
		kind             volume.Kind
		block, multiNode bool
		fileSystems      []string
	}{
		{kind: volume.Image, block: true, fileSystems: []string{"xfs", "ext4"}},
		{kind: volume.Dir, multiNode: true},
		{kind: volume.InMemory, block: true, multiNode: true, fileSystems: []string{"xfs", "ext4"}},
	} {
		t.Run(string(test.kind), func(t *testing.T) {
			if test.kind.Block() != test.block || test.kind.MultiNode() != test.multiNode || !slices.Equal(test.kind.FileSystems(), test.fileSystems) {
				t.Errorf("block: %t, on several nodes: %t, file systems %v", test.kind.Block(), test.kind.MultiNode(), test.kind.FileSystems())
			}
			var ids []string
			for range 100 {
				id, err := volume.NewID(test.kind)
				if err != nil {
					t.Fatal(err)
				}
				if kind, known := volume.KindOf(id); !known || kind != test.kind {
					t.Errorf("%q is of kind %q (known: %t)", id, kind, known)
				}
				ids = append(ids, id)
			}
			if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
				t.Errorf("ids do not grow with time: %v", ids)
			}
		})
	}
}

func TestKindOfOtherStrings(t *testing.T) {
	id, err := volume.NewID(volume.Image)
	if err != nil {
		t.Fatal(err)
	}
	unique := strings.TrimPrefix(id, "image-")
	for _, given := range []string{
		"", "image", "image-", unique, "file-" + unique, "Image-" + unique, "image-" + strings.ToUpper(unique), "image-{" + unique + "}",
		"image-urn:uuid:" + unique, id + " ", " " + id, id + "/", "image-" + strings.ReplaceAll(unique, "-", ""), "image-../../" + unique,
	} {
		if kind, known := volume.KindOf(given); known {
			t.Errorf("%q is said to be of kind %q", given, kind)
		}
	}
}
