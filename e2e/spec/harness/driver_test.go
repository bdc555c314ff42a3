// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
)

func TestWhyVolumesUnlisted(t *testing.T) {
	const endless = "its pages never end"
	for _, c := range []struct {
		name    string
		claimed bool
		works   bool
		want    string
	}{
		{"a list that is not claimed", false, true, "is not claimed"},
		{"a list that does not work", true, false, endless},
		{"a list that neither is claimed nor works", false, false, "is not claimed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &Driver{Pages: &pages.Reader{}}
			d.claims = &claims{controller: map[csi.ControllerServiceCapability_RPC_Type]bool{csi.ControllerServiceCapability_RPC_LIST_VOLUMES: c.claimed}}
			if !c.works {
				_ = d.Pages.NoteEndless("ListVolumes", endless, true)
			}
			if got := d.WhyVolumesUnlisted(); d.ListsVolumes() || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
