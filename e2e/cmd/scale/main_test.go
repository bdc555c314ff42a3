// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/e2e/scale"
)

func TestExperiments(t *testing.T) {
	for _, c := range []struct {
		focus string
		want  []string // none if it is refused
	}{
		{"", []string{"queue", "objects-100", "objects-300", "scheduler-100", "scheduler-300", "claims-100", "attach-100"}},
		{"^queue", []string{"queue", "queue-defaults"}},
		{"topolvm", []string{"topolvm-1201"}},
		{"nothing", nil},
		{"(", nil},
	} {
		t.Run(c.focus, func(t *testing.T) {
			chosen, err := options{focus: c.focus, minor: nodeimage.DefaultMinor, turns: 1}.experiments()
			if (err != nil) != (c.want == nil) {
				t.Fatalf("got error %v", err)
			}
			var names []string
			for _, e := range chosen {
				names = append(names, e.Name)
			}
			if !slices.Equal(names, c.want) {
				t.Errorf("got %q, want %q", names, c.want)
			}
		})
	}
}

func TestBadOptions(t *testing.T) {
	for name, o := range map[string]options{
		"no repeats":    {minor: nodeimage.DefaultMinor},
		"unknown minor": {minor: "1.2", turns: 1},
	} {
		if _, err := o.experiments(); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestNamesOfExperimentsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range scale.Experiments() {
		if seen[e.Name] {
			t.Errorf("two experiments are called %s", e.Name)
		}
		seen[e.Name] = true
	}
}
