// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/model"
)

func TestNothingIsSaidOfTheOnlyPlace(t *testing.T) {
	world := model.World{Places: []model.Place{{Segment: onlyPlace(), Room: model.Exactly(1)}}}
	for given, want := range map[string]string{
		model.Answer{Segments: model.Set{onlyPlace()}}.String(): "OK",
		world.String(): "    in all: 1 bytes",
	} {
		got := withoutPlace(given)
		if got != want || strings.Contains(got, "the only one") {
			t.Errorf("%q is told as %q, want %q", given, got, want)
		}
	}
	answers := withoutPlace(model.AnswersTo(model.Request{X: 1, Bytes: 1}, world).String())
	if strings.Contains(answers, "the only one") {
		t.Errorf("the answers of a driver without topology speak of a place: %s", answers)
	}
}
