// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample returns a proof with a driver of each kind; only csi-sanity is wrong about the correct one.
func sample() *Proof {
	return &Proof{Tier: Spec, Kubernetes: "not run", Drivers: []Driver{
		{ID: "right/zonal", Text: "zonal", Right: true, Origin: Ours, CSISanity: by("CreateVolume: should work")},
		{ID: "part/caught", Text: "a | b", Origin: "csi.example.com v1", Clause: "TR-01 TR-04", Found: FoundBy([]string{"T-1", "T-2", "T-3", "T-4"}), Seconds: 1.5, CSISanity: by()},
		{ID: "part/warned", Text: "warned", Warned: true, Origin: Ours, Clause: "PF-05", Found: FoundBy([]string{"T-5"}), Seconds: 0.1, CSISanity: by()},
	}}
}

func by(cases ...string) *Found {
	found := FoundBy(cases)
	return &found
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		given Driver
		want  string
	}{
		{"a wrong driver that nobody caught", Driver{ID: "part/missed", Clause: "TR-04", Origin: Ours}, "part/missed"},
		{"a wrong driver that only csi-sanity caught", Driver{ID: "part/theirs", Origin: Ours, CSISanity: by("x")}, "part/theirs"},
		{"a right driver that a case fails", Driver{ID: "right/slow", Right: true, Origin: Ours, Found: FoundBy([]string{"T-9"})}, "T-9"},
		{"a driver whose run ended early", Driver{ID: "part/broken", Origin: Ours, Found: FoundBy([]string{"T-9"}), Error: "killed"}, "killed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sample()
			if err := p.Check(); err != nil {
				t.Fatalf("without it: %v", err)
			}
			p.Drivers = append(p.Drivers, c.given)
			if err := p.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that names %s", err, c.want)
			}
		})
	}
}

func TestCounts(t *testing.T) {
	want := map[string]Count{
		"wrong drivers":                  {All: 1, Ours: 1, Asked: 1},
		"of these, seen in real drivers": {All: 1, Ours: 1, Asked: 1},
		"drivers to warn of":             {All: 1, Ours: 1, Asked: 1},
		"right drivers: false alarms":    {All: 1, Asked: 1, Other: 1},
	}
	for _, got := range sample().Counts() {
		group := got.Group
		got.Group = ""
		if got != want[group] {
			t.Errorf("%s: got %+v, want %+v", group, got, want[group])
		}
	}
}

func TestWhatNobodyCaughtComesFirst(t *testing.T) {
	p := sample()
	p.Drivers = append(p.Drivers, Driver{ID: "part/missed", Clause: "TR-04", Origin: Ours})
	p.Sort()
	if got := p.Drivers[0].ID; got != "part/missed" {
		t.Errorf("got %s first", got)
	}
	if text := p.Markdown(); strings.Index(text, "part/missed") > strings.Index(text, "part/caught") {
		t.Error("the document has it after a driver that was caught")
	}
}

func TestWriteAndRead(t *testing.T) {
	dir := t.TempDir()
	if err := sample().Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	want := sample().Markdown()
	if got.Markdown() != want {
		t.Errorf("got %s\nwant %s", got.Markdown(), want)
	}
	if text, err := os.ReadFile(filepath.Join(dir, DocumentName)); err != nil || string(text) != want {
		t.Errorf("%s: got %s, %v\nwant %s", DocumentName, text, err, want)
	}
}

func TestOfTheClusterTier(t *testing.T) {
	p := &Proof{Tier: Cluster, Drivers: []Driver{
		{ID: "driver/ignores", Tier: Cluster, Clause: "TR-07", Found: FoundBy([]string{"immediate"}), Kubernetes: by()},
		{ID: "scheduler/never_spreads", Tier: Cluster, Clause: "K8S-G1", Found: FoundBy([]string{"spread"})},
		{ID: "right/reference", Tier: Cluster, Right: true, Kubernetes: by()},
	}}
	text := p.Markdown()
	for _, want := range []string{
		"| wrong drivers | 1 | 1 | 0 |", "| wrong schedulers | 1 | 1 | not asked |", "| right drivers: false alarms | 1 | 0 | 0 |",
		"| TR-07 |  | immediate | 0.0 | **no** |", "| K8S-G1 |  | spread | 0.0 | not asked |", "| none | none |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

func TestPageHasEveryDriver(t *testing.T) {
	page, err := sample().page()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"right/zonal", "part/caught", "part/warned", "a | b", "csi.example.com v1", "CreateVolume: should work"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
