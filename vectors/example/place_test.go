// SPDX-License-Identifier: Apache-2.0

package example

import (
	"maps"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/vectors"
)

func TestPlace(t *testing.T) {
	file, err := vectors.Load("") // or the prefix of your keys, such as "topology.example.com/"
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Vectors {
		if len(v.Existing) > 0 {
			continue // Place does not look up names
		}
		t.Run(v.ID, func(t *testing.T) {
			full := file.Named(v.Full)
			hasRoom := func(segment topology) bool {
				return !slices.ContainsFunc(full, func(other topology) bool { return maps.Equal(segment, other) })
			}
			var requisite, preferred []topology
			if v.Requirement != nil {
				requisite, preferred = file.Named(v.Requirement.Requisite), file.Named(v.Requirement.Preferred)
			}
			var got vectors.Answer
			got.Topologies, got.Code = Place(file.Named(v.Segments), hasRoom, requisite, preferred, v.X)
			if verdict := file.Judge(v, got); verdict == vectors.Forbidden {
				t.Errorf("%v is %s by the vector %s", got, verdict, v)
			}
		})
	}
}
