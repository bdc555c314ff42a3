// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"slices"
	"testing"
)

func TestMountPoints(t *testing.T) {
	const (
		staged    = "/var/lib/kubelet/plugins/kubernetes.io/csi/a.csi/4be1/globalmount"
		published = "/var/lib/kubelet/pods/1-2/volumes/kubernetes.io~csi/pvc-1/mount"
		table     = `1032 1031 0:80 / / rw,relatime master:301 - overlay overlay rw
1040 1032 254:0 /kubelet /var/lib/kubelet ro,relatime master:1 - ext4 /dev/vda rw
1041 1040 7:0 / ` + published + ` rw,relatime master:310 - xfs /dev/loop0 rw
1042 1040 7:0 / ` + staged + ` rw,relatime master:310 - xfs /dev/loop0 rw
1043 1040 7:1 / /var/lib/kubelet/pods/1-2/volumes/kubernetes.io~csi/pvc-12/mount rw,relatime - xfs /dev/loop1 rw
`
	)
	tests := []struct {
		name, table string
		names       []string
		want        []string
		wantError   bool
	}{
		{name: "both of one volume, and not those of a longer name", table: table, names: []string{"pvc-1", "4be1"}, want: []string{staged, published}},
		{name: "one name", table: table, names: []string{"4be1"}, want: []string{staged}},
		{name: "a volume that is not mounted", table: table, names: []string{"pvc-3"}},
		{name: "an empty table", names: []string{"pvc-1"}},
		{name: "no table", table: "cat: not found\n", names: []string{"pvc-1"}, wantError: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := MountPoints(test.table, test.names...)
			if (err != nil) != test.wantError || !slices.Equal(got, test.want) {
				t.Errorf("%q, %v; wanted %q, error: %v", got, err, test.want, test.wantError)
			}
		})
	}
}

func TestStillMounted(t *testing.T) {
	before := []string{"/staged", "/target"}
	wantVerdict(t, StillMounted("pvc-1", before, before), satisfied)
	wantVerdict(t, StillMounted("pvc-1", before, []string{"/staged", "/other", "/target"}), satisfied)
	wantVerdict(t, StillMounted("pvc-1", before, []string{"/target"}), differs, "pvc-1", "/staged")
	wantVerdict(t, StillMounted("pvc-1", before, nil), differs, "none")
}

func TestNotMounted(t *testing.T) {
	wantVerdict(t, NotMounted("pvc-1", nil), satisfied)
	wantVerdict(t, NotMounted("pvc-1", []string{"/staged"}), differs, "pvc-1", "/staged")
}
