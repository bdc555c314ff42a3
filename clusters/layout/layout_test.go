// SPDX-License-Identifier: Apache-2.0

package layout_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/clusters/layout"
)

func TestZonesIsWhatTheSpecificationsExamplesNeed(t *testing.T) {
	l, err := layout.Load("zones")
	if err != nil {
		t.Fatal(err)
	}
	want := []layout.Node{{"R1", "Z2"}, {"R1", "Z2"}, {"R1", "Z3"}, {"R1", "Z4"}, {"R1", "Z5"}}
	if got := l.Nodes(); !reflect.DeepEqual(got, want) {
		t.Errorf("want %v, got %v", want, got)
	}
}

func TestEveryKnownLayoutIsValid(t *testing.T) {
	for _, name := range layout.Known() {
		if _, err := layout.Load(name); err != nil {
			t.Error(err)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const head = "apiVersion: csi-topo/v1alpha1\nkind: ClusterLayout\n"
	cases := []struct{ name, given, want string }{
		{"another kind", "apiVersion: v1\nkind: Pod\n", "want apiVersion csi-topo/v1alpha1"},
		{"no region", head, "want at least one region"},
		{"no zone", head + "regions: [{name: R1}]", "region R1: want at least one zone"},
		{"no node", head + "regions: [{name: R1, zones: [{name: Z1}]}]", "zone Z1: want at least one node"},
		{"a name that is no label value", head + "regions: [{name: -R, zones: [{name: Z1, nodes: 1}]}]", `region "-R"`},
		{"no name", head + "regions: [{zones: [{name: Z1, nodes: 1}]}]", "want a name for every region"},
		{"a zone twice", head + "regions: [{name: R1, zones: [{name: Z1, nodes: 1}, {name: Z1, nodes: 1}]}]", "found this one twice"},
		{"an unknown field", head + "regions: [{name: R1, zone: []}]", `unknown field "zone"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "l.yaml")
			if err := os.WriteFile(file, []byte(c.given), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := layout.Load(file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want an error with %q, got %v", c.want, err)
			}
		})
	}
}

func TestLoadNamesTheKnownLayouts(t *testing.T) {
	_, err := layout.Load("rings")
	if err == nil || !strings.Contains(err.Error(), `unknown layout "rings": known are `+strings.Join(layout.Known(), ", ")) {
		t.Errorf("want the known layouts named, got %v", err)
	}
}
