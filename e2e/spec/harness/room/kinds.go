// SPDX-License-Identifier: Apache-2.0

package room

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Makes reports whether the driver has volumes that are accessible from x topologies, and has them in these segments,
// which one volume may span.
func (r *Rooms) Makes(x int, in ...model.Segment) bool {
	kind, found := r.Profile.Kind(x)
	return found && !slices.ContainsFunc(in, func(segment model.Segment) bool {
		return !existsIn(kind, segment) || kind.Sharing != "" && segment[kind.Sharing] != in[0][kind.Sharing]
	})
}

// existsIn reports whether there are volumes of the kind in the segment.
func existsIn(kind profile.Kind, segment model.Segment) bool {
	return len(kind.Segments) == 0 || slices.ContainsFunc(kind.Segments, func(s map[string]string) bool { return segment.Equal(s) })
}

// Having returns the driver's segments that have the plain kind of volume, and the kind for x topologies.
func (r *Rooms) Having(x int) model.Set {
	found := slices.DeleteFunc(slices.Clone(r.Segments), func(segment model.Segment) bool {
		return !r.Makes(1, segment) || x > 1 && !r.Makes(x, segment)
	})
	if kind, _ := r.Profile.Kind(x); x > 1 && kind.Sharing != "" {
		return r.together(found, x, kind.Sharing)
	}
	return found
}

// together groups the segments by the key that they share, and drops groups of fewer than x. If not all segments are known,
// the largest group stays, because unknown segments may share the key too.
func (r *Rooms) together(segments model.Set, x int, key string) model.Set {
	var enough, most model.Set
	for _, segment := range segments {
		apart := func(other model.Segment) bool { return other[key] != segment[key] }
		alike := slices.DeleteFunc(slices.Clone(segments), apart)
		if len(alike) > len(most) {
			most = alike
		}
		if len(alike) >= x && !enough.Contains(segment) {
			enough = append(enough, alike...)
		}
	}
	if len(enough) == 0 && len(r.Profile.Segments) == 0 {
		return most
	}
	return enough
}
