// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// source is the source of a copy: a volume or a snapshot.
type source struct {
	volume   *volume
	snapshot *snapshot
	// id is the id of the volume or the snapshot. The name may belong to another one by now.
	id string
	// of is the wish that the original volume was created for, and bytes the minimum size of a copy.
	of    wish
	bytes int64
	// segments are the segments where a copy can certainly be.
	segments model.Set
	// generation counts the copies between this data and the volume that it was written to.
	generation int
	// holds is the text that a copy has; empty if it is not known. cut is the step that took the snapshot; 0 for a
	// volume.
	holds string
	cut   int
}

// source returns the source of a step, if there is or was one. A source that is not usable leaves the step out: a CO waits
// until a snapshot is ready, and the specification does not say whether a volume can be copied while it is on a node.
func (s *sequence) source(ctx context.Context, step Step) (from *source, found bool) {
	if step.Source > 0 {
		v := s.volume(Step{Name: step.Source})
		if v.id == "" || v.forgotten || v.isBusy() {
			return nil, false
		}
		return &source{volume: v, id: v.id, of: v.is, bytes: v.bytes, segments: v.segments, generation: v.is.generation(), holds: v.holds}, true
	}
	snap := s.snapshots[step.Snapshot]
	if snap == nil || snap.id == "" || snap.exists && !s.isReady(ctx, snap) {
		return nil, false
	}
	return &source{snapshot: snap, id: snap.id, of: snap.of, bytes: snap.bytes, segments: snap.segments, generation: snap.of.generation(), holds: snap.holds, cut: snap.cut}, true
}

// isBusy reports whether the source is a volume that is on a node.
func (f *source) isBusy() bool { return f != nil && f.volume != nil && f.volume.isBusy() }

// generation counts the copies between the volume and the one that its data was written to.
func (w wish) generation() int {
	if w.source == nil {
		return 0
	}
	return w.source.generation + 1
}

// copyOf returns the wish for a copy: of the same kind as the source and at least as large. If the segments are known, it may be asked
// for where the source is, and for the preferred segments of the step as well.
func (s *sequence) copyOf(from *source, step Step) wish {
	asked := s.driver.Volume(from.of.kind).OfBytes(max(from.bytes, s.driver.Size()))
	switch step.Size {
	case Double:
		asked.Bytes *= 2
	case Odd:
		asked.Bytes += asked.Bytes/2 + 1
	case Unsized:
		asked.Bytes = 0
	}
	known := s.room.segments()
	isUnknown := func(segment model.Segment) bool { return isOnlyPlace(segment) || !known.Contains(segment) }
	if asked.Everywhere || slices.ContainsFunc(from.segments, isUnknown) {
		return wish{Request: asked, kind: from.of.kind, use: from.of.use, source: from}
	}
	near := func(segment model.Segment) bool { return from.segments.Contains(segment) }
	elsewhere := slices.DeleteFunc(s.segments(step.Preferred), near)
	if len(step.Requisite) > 0 {
		asked = asked.Within(slices.Concat(from.segments, elsewhere)...)
	}
	if len(step.Preferred) > 0 {
		asked = asked.Preferring(slices.Concat(elsewhere, from.segments)...)
	}
	return wish{Request: asked, kind: from.of.kind, use: from.of.use, source: from}
}

// exists reports whether the source still exists.
func (f *source) exists() bool {
	if f.snapshot != nil {
		return f.snapshot.exists && f.snapshot.id == f.id
	}
	return f.volume.exists && f.volume.id == f.id
}

// noteCopy records that there is a copy.
func (f *source) noteCopy() {
	if f.snapshot != nil {
		f.snapshot.copied = true
	} else {
		f.volume.copied = true
	}
}

// now returns the current size of the source in bytes, which may have grown since a copy was requested; 0 without a
// source.
func (f *source) now() int64 {
	switch {
	case f == nil:
		return 0
	case !f.exists():
		return f.bytes
	case f.snapshot != nil:
		return f.snapshot.bytes
	default:
		return f.volume.bytes
	}
}

// told returns the reported size of a snapshot, which is the minimum for a copy; 0 if it is not reported, and for a volume.
func (f *source) told() int64 {
	if f == nil || f.snapshot == nil || f.snapshot.id != f.id {
		return 0
	}
	return f.snapshot.taken.GetSizeBytes()
}

// text returns the text in a copy of the source, and the step that took the snapshot. The text is unknown, and empty, if the
// source volume was written to after the copy was first requested: the driver may have begun the copy then.
func (f *source) text() (text string, cut int) {
	if f == nil || f.volume != nil && f.volume.holds != f.holds {
		return "", 0
	}
	return f.holds, f.cut
}

func (f *source) equal(other *source) bool {
	if f == nil || other == nil {
		return f == other
	}
	return f.id == other.id && (f.snapshot != nil) == (other.snapshot != nil)
}

// message returns the volume_content_source.
func (f *source) message() *csi.VolumeContentSource {
	switch {
	case f == nil:
		return nil
	case f.snapshot != nil:
		return messages.FromSnapshot(f.id)
	default:
		return messages.FromVolume(f.id)
	}
}

// String formats the source for reports.
func (f *source) String() string {
	if f.snapshot != nil {
		return fmt.Sprintf("from the snapshot %s of %s", f.snapshot.name, f.snapshot.volume.name)
	}
	return "from the volume " + f.volume.name
}
