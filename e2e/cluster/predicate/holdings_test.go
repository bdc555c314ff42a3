// SPDX-License-Identifier: Apache-2.0

package predicate

import "testing"

func TestNothingLeft(t *testing.T) {
	before := Holdings{
		Volumes: []string{"v1"}, PersistentVolumes: []string{"pv-1"}, Attachments: []string{"a1"},
		Room: map[string]int64{"{zone=Z2}": 100, "{zone=Z3}": 100},
	}
	after := func(change func(*Holdings)) Holdings {
		held := Holdings{
			Volumes: []string{"v1"}, PersistentVolumes: []string{"pv-1"}, Attachments: []string{"a1"},
			Room: map[string]int64{"{zone=Z2}": 100, "{zone=Z3}": 100},
		}
		change(&held)
		return held
	}
	tests := []struct {
		name  string
		after Holdings
		want  string
		says  string
	}{
		{"as before", after(func(*Holdings) {}), satisfied, ""},
		{"what was there has gone", after(func(h *Holdings) { h.Volumes = nil; h.Room["{zone=Z2}"] = 150 }), satisfied, ""},
		{"a volume in the driver", after(func(h *Holdings) { h.Volumes = append(h.Volumes, "v2") }), differs, "volume in the driver v2"},
		{"a PersistentVolume", after(func(h *Holdings) { h.PersistentVolumes = []string{"pv-2"} }), differs, "PersistentVolume pv-2"},
		{"an attachment", after(func(h *Holdings) { h.Attachments = append(h.Attachments, "a2") }), differs, "VolumeAttachment a2"},
		{"room", after(func(h *Holdings) { h.Room["{zone=Z3}"] = 60 }), differs, "40 bytes taken in {zone=Z3}"},
		{"a segment", after(func(h *Holdings) { delete(h.Room, "{zone=Z3}") }), differs, "100 bytes taken in {zone=Z3}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := NothingLeft(before, test.after)
			if test.says == "" {
				wantVerdict(t, err, test.want)
				return
			}
			wantVerdict(t, err, test.want, test.says)
		})
	}
}

func TestLeftOf(t *testing.T) {
	before := Holdings{Volumes: []string{"v1"}, PersistentVolumes: []string{"pv-1"}, Room: map[string]int64{"{zone=Z2}": 100}}
	left := LeftOf(before, Holdings{Volumes: []string{"v1", "v2", "v3"}, PersistentVolumes: []string{"pv-1"}, Room: map[string]int64{"{zone=Z2}": 60}}, []string{"v2"})
	if len(left.Listed) != 1 || left.Listed[0] != "v2" {
		t.Errorf("got %v as deleted and listed, wanted v2", left.Listed)
	}
	wantVerdict(t, left.Others, differs, "volume in the driver v3")
	wantVerdict(t, left.Room, differs, "40 bytes taken in {zone=Z2}")

	left = LeftOf(before, before, []string{"v1"})
	if len(left.Listed) > 0 || left.Others != nil || left.Room != nil {
		t.Errorf("got %+v, wanted nothing to be left", left)
	}
	wantVerdict(t, LeftOf(before, Holdings{PersistentVolumes: []string{"pv-2"}, Room: before.Room}, nil).Others, differs, "PersistentVolume pv-2")
}
