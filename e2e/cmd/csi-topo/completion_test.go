// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestCompletion(t *testing.T) {
	for _, test := range []struct {
		given     []string
		want, not []string
	}{
		{[]string{"spec", "--requirement", "TR-0"}, []string{"TR-01", "TR-07"}, []string{"K8S-A1"}},
		{[]string{"requirements", "K8S-A"}, []string{"K8S-A1"}, []string{"TR-01"}},
		{[]string{"spec", "--focus", "T-EQ-"}, []string{"T-EQ-1"}, []string{"immediate_one_zone"}},
		{[]string{"spec", "--focus", ""}, []string{"T-EQ-1", "attach to a node"}, []string{"immediate_one_zone"}},
		{[]string{"cluster", "--skip", ""}, []string{"immediate_one_zone", "binding"}, []string{"T-EQ-1"}},
		{[]string{"list", "--focus", ""}, []string{"T-EQ-1", "immediate_one_zone"}, nil},
		{[]string{"spec", "--label", "needs:"}, []string{"needs:exhaustion"}, []string{"csi-sanity", "smoke"}},
		{[]string{"cluster", "--label", "s"}, []string{"smoke"}, nil},
		{[]string{"list", "--tier", ""}, []string{"spec", "cluster"}, nil},
		{[]string{"list", "-o", ""}, []string{"wide", "yaml", "json"}, nil},
		{[]string{"cluster", "--profile", "hostpath"}, []string{"hostpath-topo", "hostpath-topo-node-local"}, []string{"csi-driver-host-path"}},
		{[]string{"up", "--layout", "z"}, []string{"zones"}, nil},
	} {
		t.Run(strings.Join(test.given, " "), func(t *testing.T) {
			var out bytes.Buffer
			root := newRootCommand()
			root.SetArgs(append([]string{"__complete"}, test.given...))
			root.SetOut(&out)
			root.SetErr(&bytes.Buffer{})
			if err := root.Execute(); err != nil {
				t.Fatal(err)
			}
			var proposed []string
			for line := range strings.Lines(out.String()) {
				word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
				proposed = append(proposed, word)
			}
			for _, word := range test.want {
				if !slices.Contains(proposed, word) {
					t.Errorf("got %q, want %s among them", proposed, word)
				}
			}
			for _, word := range test.not {
				if slices.Contains(proposed, word) {
					t.Errorf("got %q, want no %s among them", proposed, word)
				}
			}
		})
	}
}
