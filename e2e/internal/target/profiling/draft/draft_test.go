// SPDX-License-Identifier: Apache-2.0

package draft

import (
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/profile/schema"
)

// TestKnownProfiles checks that each profile of csi-topo is the same after it is written and read again.
func TestKnownProfiles(t *testing.T) {
	for _, name := range profile.KnownNames() {
		t.Run(name, func(t *testing.T) {
			want, err := profile.Known(name)
			if err != nil {
				t.Fatal(err)
			}
			readsAgain(t, want)
		})
	}
}

func readsAgain(t *testing.T, want profile.Profile) string {
	t.Helper()
	draft := Draft{Profile: want}
	text, err := draft.YAML()
	if err != nil {
		t.Fatal(err)
	}
	got, err := profile.Parse("p.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the profile changed when it was written (-want +got):\n%s\n%s", diff, text)
	}
	return string(text)
}

func TestWhatFewProfilesHave(t *testing.T) {
	no, none := false, []profile.Disturbance{}
	readsAgain(t, profile.Profile{
		Driver: "csi.example.com", VolumeBytes: 1 << 20, Mount: &no, Block: true,
		Segments:    []map[string]string{{"zone": "yes"}, {"zone": "1"}}, // strings that YAML has other meanings for
		Volumes:     []profile.Kind{{AccessibleFrom: profile.Everywhere, AccessMode: profile.AccessMode(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)}, {Parameters: map[string]string{"a": "true", "b": ""}}},
		Fill:        profile.Fill{Volumes: 7},
		Directories: profile.Directories{Root: "/csi", Make: []string{"a"}, Remove: []string{"b"}, Exists: []string{"c"}, Write: []string{"sh", "-c", `dd of="$0" # ' it`}, Read: []string{"r"}},
		Secrets:     profile.Secrets{NodeStageVolume: map[string]string{"key": "multi\nline: text\n"}},
		Timeouts:    profile.Timeouts{Provision: 90 * time.Second},
		Cluster:     &profile.Cluster{Topology: profile.Topology{Zone: "zone"}, Disturb: &none},
		Waivers:     []profile.Waiver{{Requirement: "PF-05", Reason: "It: cannot."}},
	})
}

// TestEveryFieldIsThere checks that the file shows everything that a profile may have, known or not.
func TestEveryFieldIsThere(t *testing.T) {
	fields, err := schema.Fields()
	if err != nil {
		t.Fatal(err)
	}
	text := readsAgain(t, profile.Profile{Driver: "csi.example.com", VolumeBytes: 1 << 20, Cluster: &profile.Cluster{Topology: profile.Topology{Zone: "zone"}}})
	for _, field := range fields {
		if !strings.Contains(text, "\n"+field.Name+":") && !strings.Contains(text, "\n# "+field.Name+":") {
			t.Errorf("the draft says nothing of %s:\n%s", field.Path, text)
		}
		if field.Name != "cluster" {
			continue
		}
		for _, inner := range field.Fields {
			if !strings.Contains(text, "\n  "+inner.Name+":") && !strings.Contains(text, "\n  # "+inner.Name+":") {
				t.Errorf("the draft says nothing of %s:\n%s", inner.Path, text)
			}
		}
	}
}

func TestNotesAndSuggestions(t *testing.T) {
	draft := Draft{Profile: profile.Of("csi.example.com"), Head: []string{"Of csi.example.com."}}
	draft.Note("capacity", "GetCapacity answers %d.", 5)
	draft.Suggest("segments", []map[string]string{{"zone": "a"}, {"zone": "b"}})
	text, err := draft.YAML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# yaml-language-server: $schema=" + schema.URL + "\n#\n# Of csi.example.com.\n\n",
		"\n# > GetCapacity answers 5.\n# capacity: exact\n",
		"\n# segments:\n# - zone: a\n# - zone: b\n",
		"\nvolumeBytes: 1073741824\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

// TestNotesOfHostileDrivers checks that a driver can add only words of a comment to the file.
func TestNotesOfHostileDrivers(t *testing.T) {
	draft := Draft{Profile: profile.Of("csi.example.com"), Head: []string{"Of \x1b[2J\ndriver: other"}}
	draft.Note("capacity", "It answered %s.", "a\nblock: true\r\x1b]0;t\x07"+strings.Repeat("z", 1<<20))
	text, err := draft.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := profile.Parse("p.yaml", text); err != nil || got.Driver != "csi.example.com" || got.Block {
		t.Errorf("want the profile as it was, got %+v, %v", got, err)
	}
	if len(text) > 100<<10 || strings.ContainsAny(string(text), "\r\x1b\x07") {
		t.Errorf("want a small file without control characters, got %d bytes:\n%.3000s", len(text), text)
	}
}
