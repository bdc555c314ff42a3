// SPDX-License-Identifier: Apache-2.0

package creation

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

func TestAFindingHasTheRequirementThatWasSent(t *testing.T) {
	z2 := model.Segment{"zone": "z2"}
	topology := []*csi.Topology{{Segments: z2}}
	for _, c := range []struct {
		name         string
		sent         *csi.TopologyRequirement
		judged, want model.Request
	}{
		{"judged without preferred", &csi.TopologyRequirement{Requisite: topology, Preferred: topology},
			model.Request{X: 1, Requisite: model.Set{z2}}, model.Request{X: 1, Requisite: model.Set{z2}, Preferred: model.Set{z2}}},
		{"no requirement", nil, model.Request{X: 1}, model.Request{X: 1}},
		{"an empty requirement", &csi.TopologyRequirement{}, model.Request{X: 1, Empty: true}, model.Request{X: 1, Empty: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := sent(AnswerOf(&csi.CreateVolumeRequest{AccessibilityRequirements: c.sent}, nil, nil), c.judged)
			if got.String() != c.want.String() {
				t.Errorf("the finding says\n%s\nand what was sent is\n%s", got, c.want)
			}
		})
	}
}
