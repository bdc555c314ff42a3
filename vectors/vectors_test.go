// SPDX-License-Identifier: Apache-2.0

package vectors_test

import (
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/vectors"
)

// zone returns the topology of a zone of region R1, with the tests' prefix before its keys.
func zone(name string) vectors.Topology {
	return vectors.Topology{"example.com/region": "R1", "example.com/zone": name}
}

func TestJudge(t *testing.T) {
	file, err := vectors.Load("example.com/")
	if err != nil {
		t.Fatal(err)
	}
	of := func(topologies ...vectors.Topology) vectors.Answer { return vectors.Answer{Topologies: topologies} }
	for _, test := range []struct {
		name, vector string
		given        vectors.Answer
		want         vectors.Verdict
	}{
		{"the second of preferred, as the first is full", "T-PF-2b", of(zone("Z2")), vectors.Allowed},
		{"the zone alone, which no other segment has", "T-PF-2b", of(vectors.Topology{"example.com/zone": "Z2"}), vectors.Allowed},
		{"the code OK", "T-PF-2b", vectors.Answer{Topologies: []vectors.Topology{zone("Z2")}, Code: "OK"}, vectors.Allowed},
		{"no topology", "T-PF-2b", of(), vectors.Discouraged},
		{"the region", "T-PF-2b", of(vectors.Topology{"example.com/region": "R1"}), vectors.Discouraged},
		{"the zone that is full", "T-PF-2b", of(zone("Z4")), vectors.Forbidden},
		{"a zone that is not preferred", "T-PF-2b", of(zone("Z3")), vectors.Forbidden},
		{"a zone twice", "T-PF-2b", of(zone("Z2"), zone("Z2")), vectors.Forbidden},
		{"keys without the prefix", "T-PF-2b", of(vectors.Topology{"region": "R1", "zone": "Z2"}), vectors.Forbidden},
		{"an error, though a zone has room", "T-PF-2b", vectors.Answer{Code: "RESOURCE_EXHAUSTED"}, vectors.Forbidden},
		{"the code for no room", "T-EQ-2F", vectors.Answer{Code: "RESOURCE_EXHAUSTED"}, vectors.Allowed},
		{"another code", "T-EQ-2F", vectors.Answer{Code: "INTERNAL"}, vectors.Forbidden},
		{"a volume, though a zone is full", "T-EQ-2F", of(zone("Z2"), zone("Z3")), vectors.Forbidden},
		{"two zones in another order", "T-EQ-2", of(zone("Z3"), zone("Z2")), vectors.Allowed},
		{"one zone of two", "T-EQ-2", of(zone("Z2")), vectors.Forbidden},
		{"another volume of the same name", "T-ID-2", of(zone("Z3")), vectors.Forbidden},
		{"the code for a name that is taken", "T-ID-2", vectors.Answer{Code: "ALREADY_EXISTS"}, vectors.Allowed},
	} {
		t.Run(test.name, func(t *testing.T) {
			i := slices.IndexFunc(file.Vectors, func(v vectors.Vector) bool { return v.ID == test.vector })
			if i < 0 {
				t.Fatalf("there is no vector %s", test.vector)
			}
			if got := file.Judge(file.Vectors[i], test.given); got != test.want {
				t.Errorf("%v is %s, want %s by %s", test.given, got, test.want, file.Vectors[i])
			}
		})
	}
}

func TestNamedReturnsCopies(t *testing.T) {
	file := load(t)
	file.Named([]string{"R1/Z2"})[0]["zone"] = "Z3"
	if got := file.Named([]string{"R1/Z2"})[0]["zone"]; got != "Z2" {
		t.Errorf("the zone of R1/Z2 is %s now", got)
	}
}
