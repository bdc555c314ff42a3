// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"slices"
	"testing"

	"github.com/onsi/ginkgo/v2"
)

func TestCaseLabelsAreReadBack(t *testing.T) {
	labels := append(ginkgo.Label("slow"), Case("T-EQ-1", "TR-07", "TR-09")...)
	if got := CaseID(labels); got != "T-EQ-1" {
		t.Errorf("id: want T-EQ-1, got %q", got)
	}
	if got, want := Requirements(labels), []string{"TR-07", "TR-09"}; !slices.Equal(got, want) {
		t.Errorf("requirements: want %v, got %v", want, got)
	}
	if got := CaseID(ginkgo.Label("slow")); got != "" {
		t.Errorf("id among labels without one: want none, got %q", got)
	}
}

func TestCaseRefusesToVerifyNothing(t *testing.T) {
	for _, test := range []struct {
		name         string
		id           string
		requirements []string
	}{
		{name: "no id", id: "", requirements: []string{"TR-07"}},
		{name: "no requirement", id: "T-EQ-1"},
		{name: "an empty requirement", id: "T-EQ-1", requirements: []string{"TR-07", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("want a panic")
				}
			}()
			Case(test.id, test.requirements...)
		})
	}
}
