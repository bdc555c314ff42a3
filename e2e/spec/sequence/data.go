// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
)

// checkData reads the volume at each path where it is published, after a call that could change its content, and records
// missing data. With write, it then writes a new text. It leaves out a volume that several nodes have used at the same time:
// whether they see each other's data depends on the file system.
func (s *sequence) checkData(ctx context.Context, o *outcome, v *volume, write bool) {
	using := 0
	for _, a := range v.on {
		if a.isUsed() {
			using++
		}
	}
	v.parted = v.parted || using > 1
	if !data.ShowsData(s.driver) || v.parted {
		return
	}
	for _, a := range v.on {
		for path, m := range a.mounts {
			if !m.done {
				continue
			}
			place := fmt.Sprintf("%s is published at %s%s", v.name, a.node, nameOf(path))
			if !a.node.Exists(ctx, m.request.GetTargetPath()) {
				o.wrong(data.Clause(m.request), "%s, and nothing is at target_path", place)
				continue
			}
			if m.request.GetVolumeCapability().GetBlock() != nil && data.IsDirectory(ctx, a.node, m.request.GetTargetPath()) {
				o.wrong("NS-19", "%s as a block device, and a directory is at target_path", place)
				continue
			}
			s.compareData(ctx, o, v, a.node, m.request, place)
			if write && len(o.broken) == 0 {
				s.writeData(ctx, o, v, a.node, m.request, place)
			}
		}
	}
}

// compareData reads the volume at one path. A failed read shows nothing.
func (s *sequence) compareData(ctx context.Context, o *outcome, v *volume, node *harness.Node, published *csi.NodePublishVolumeRequest, place string) {
	if v.holds == "" && v.cut == 0 {
		return
	}
	got, err := data.TryRead(ctx, node, published, 0)
	if err != nil || got == v.holds {
		return
	}
	if v.holds == "" {
		if v.inherits && stepOf(got) > v.cut {
			o.wrong("CS-23", "%s, and has %q there, which was written to its source after the snapshot was cut", place, got)
		}
		return
	}
	clause, text := data.Clause(published), "%s, and has %q there: %q was written to it last"
	if v.inherits {
		clause, text = "VS-02", "%s, and has %q there: its source had %q"
	}
	o.wrong(clause, text, place, got, v.holds)
}

// written is a text that is written to a volume: all texts have the same length.
const written = "volume %06d, step %06d"

// stepOf returns the step that wrote the text; 0 for another text.
func stepOf(text string) int {
	var volume, step int
	if n, err := fmt.Sscanf(text, written, &volume, &step); err != nil || n < 2 {
		return 0
	}
	return step
}

// writeData writes a unique text to the volume, which must not be possible if the volume is published read-only.
func (s *sequence) writeData(ctx context.Context, o *outcome, v *volume, node *harness.Node, published *csi.NodePublishVolumeRequest, place string) {
	text := fmt.Sprintf(written, v.number, len(s.done))
	err := node.Driver.Target.Paths.Write(ctx, node.ID, data.File(published), 0, []byte(text))
	switch {
	case err != nil && published.GetReadonly():
	case err != nil:
		v.holds, v.inherits = "", false // a part of the text may be there
	case published.GetReadonly():
		v.holds, v.inherits = text, false
		if mounted, known, err := node.Driver.Target.Paths.Mounted(ctx, node.ID, published.GetTargetPath()); err == nil && (mounted || !known) {
			o.wrong("NS-21", "%s with readonly = true, and was written to", place)
		}
	default:
		v.holds, v.inherits = text, false
	}
}
