// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// flawsOfTopology judges the keys and values of a topology that no earlier answer had, each alone and together with the keys
// of all answers.
func (j *Judge) flawsOfTopology(segment model.Segment) []Flaw {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.judged == nil {
		j.judged, j.keys = map[string]bool{}, map[string]string{}
	}
	var broken []model.Reason
	for _, key := range slices.Sorted(maps.Keys(segment)) {
		pair := key + "=" + segment[key]
		if j.judged[pair] {
			continue
		}
		j.judged[pair] = true
		alone := model.Segment{key: segment[key]}
		broken = append(broken, alone.BrokenKeys()...)
		broken = append(broken, alone.BrokenValues()...)
		broken = append(broken, j.besideOthers(key)...)
	}
	var flaws []Flaw
	for _, reason := range broken {
		flaws = append(flaws, Flaw{Clause: reason.Clause, Field: "csi.v1.Topology.segments", Text: fmt.Sprintf("csi.v1.Topology.segments is %s: %s", segment, reason.Text)})
	}
	return flaws
}

// besideOthers compares the spelling of a key, and its prefix, with the other keys.
func (j *Judge) besideOthers(key string) []model.Reason {
	var broken []model.Reason
	lower := strings.ToLower(key)
	if other, found := j.keys[lower]; found && other != key {
		broken = append(broken, model.Reason{Clause: "TO-08", Text: fmt.Sprintf("keys are case-insensitive: %q and %q must not both exist", other, key)})
	} else {
		j.keys[lower] = key
	}
	prefix, _, prefixed := strings.Cut(key, "/")
	switch {
	case !prefixed:
	case j.prefix == "":
		j.prefix = prefix
	case j.prefix != prefix:
		broken = append(broken, model.Reason{Clause: "TO-06", Text: fmt.Sprintf("all keys of all answers must have one prefix, and others have %q", j.prefix)})
	}
	return broken
}
