// SPDX-License-Identifier: Apache-2.0

package placement

// group is a part of the table, and an area of the report.
type group struct {
	name string
	rows []example
}

// examples returns the table of the examples of TopologyRequirement in the CSI specification, and of the sentences about it
// that have no example. Each row is a case; the oracle judges the answer.
func examples() []group {
	const (
		full = "CREATE-02 CREATE-08 GEN-15 GEN-16 CV-07"
		all  = "Z2 Z3 Z4 Z5"
	)
	return []group{
		{"requisite, x = n", []example{
			{id: "T-EQ-1", line: 1137, x: 1, requisite: "Z2", fewest: 1,
				allowed: "creates a volume accessible from Z2, the one requisite topology", verifies: "CV-18 TR-01 TR-04 TR-06 TR-07 TR-09 VOL-19"},
			{id: "T-EQ-1F", line: 1135, x: 1, requisite: "Z2", full: "Z2", fewest: 1,
				allowed: "fails when Z2, the one requisite topology, is full", verifies: "TR-08 CREATE-01 " + full},
			{id: "T-EQ-2", line: 1142, x: 2, requisite: "Z2 Z3", fewest: 2,
				allowed: "creates a volume accessible from Z2 and Z3, the two requisite topologies", verifies: "TR-01 TR-07 TR-10 VOL-15 VOL-20"},
			{id: "T-EQ-2F", line: 1135, x: 2, requisite: "Z2 Z3", full: "Z3", fewest: 2,
				allowed: "fails when Z3, one of two requisite topologies, is full, and leaves nothing in Z2", verifies: "TR-07 TR-08 " + full},
		}},
		{"requisite, x < n", []example{
			{id: "T-LT-1", line: 1152, x: 1, requisite: "Z2 Z3", fewest: 2,
				allowed: "creates a volume accessible from Z2 or Z3, one of two requisite topologies", verifies: "TR-04 TR-11 TR-13"},
			{id: "T-LT-1F", line: 1149, x: 1, requisite: "Z2 Z3", full: "Z2, Z3", fewest: 2,
				allowed: "creates a volume accessible from Z3 when Z2 is full, and fails when Z3 is full as well", verifies: "TR-11 TR-12 " + full},
			{id: "T-LT-2", line: 1158, x: 2, requisite: "Z2 Z3 Z4", fewest: 3,
				allowed: "creates a volume accessible from two unique topologies of Z2, Z3 and Z4", verifies: "TR-11 TR-14 VOL-15 K8S-C5"},
			{id: "T-LT-2F", line: 1149, x: 2, requisite: "Z2 Z3 Z4", full: "Z2, Z3", fewest: 3,
				allowed: "creates a volume accessible from Z3 and Z4 when Z2 is full, and fails when only Z4 has room", verifies: "TR-11 TR-12 K8S-C6 " + full},
		}},
		{"requisite, x > n", []example{
			{id: "T-GT-1", line: 1172, x: 2, requisite: "Z2", fewest: 1, times: 2,
				allowed: "creates a volume accessible from Z2, the one requisite topology, and from one other, also where there is a volume already", verifies: "TR-15 TR-16 TR-17 TR-18 VOL-15"},
			{id: "T-GT-1F", line: 1170, x: 2, requisite: "Z2", full: others, fewest: 2,
				allowed: "creates a volume accessible from Z2 and one other while the others fill up, and fails when only Z2 has room", verifies: "TR-15 TR-16 TR-17 K8S-C8 " + full},
		}},
		{"preferred, example 1", []example{
			{id: "T-PF-1a", line: 1208, x: 1, requisite: "Z2 Z3", preferred: "Z3", times: 4, fewest: 2,
				allowed: "creates a volume accessible from Z3, preferred over Z2, each time", verifies: "PF-03 PF-08 K8S-C9"},
			{id: "T-PF-1b", line: 1209, x: 1, requisite: "Z2 Z3", preferred: "Z3", full: "Z3", fewest: 2,
				allowed: "falls back to Z2 when Z3, the preferred topology, is full", verifies: "PF-05 PF-08"},
		}},
		{"preferred, example 2", []example{
			{id: "T-PF-2a", line: 1222, x: 1, requisite: all, preferred: "Z4 Z2", fewest: 2,
				allowed: "creates a volume accessible from Z4, the first preferred topology", verifies: "PF-03 PF-09 K8S-C10"},
			{id: "T-PF-2b", line: 1223, x: 1, requisite: all, preferred: "Z4 Z2", full: "Z4", fewest: 2,
				allowed: "falls back to Z2, the second preferred topology, when Z4 is full", verifies: "PF-03 PF-09"},
			{id: "T-PF-2c", line: 1224, x: 1, requisite: all, preferred: "Z4 Z2", full: "Z4 Z2", fewest: 3,
				allowed: "falls back to Z3 or Z5 when Z4 and Z2, the preferred topologies, are full", verifies: "PF-05 PF-09 PF-10"},
			{id: "T-PF-2d", line: 1197, x: 1, requisite: all, preferred: "Z4 Z2", full: all, fewest: 2,
				allowed: "fails when all requisite topologies are full", verifies: "PF-07 " + full},
		}},
		{"preferred, example 3", []example{
			{id: "T-PF-3a", line: 1241, x: 2, requisite: all, preferred: "Z5 Z3", fewest: 3,
				allowed: "creates a volume accessible from Z5 and Z3, the two preferred topologies", verifies: "PF-03 PF-11 K8S-C11"},
			{id: "T-PF-3b", line: 1243, x: 2, requisite: all, preferred: "Z5 Z3", full: "Z3", fewest: 3,
				allowed: "falls back to Z5 and one of Z2 and Z4 when Z3 is full", verifies: "PF-03 PF-05 PF-12"},
			{id: "T-PF-3c", line: 1245, x: 2, requisite: all, preferred: "Z5 Z3", full: "Z5", fewest: 3,
				allowed: "falls back to Z3 and one of Z2 and Z4 when Z5 is full", verifies: "PF-03 PF-05 PF-13"},
			{id: "T-PF-3d", line: 1247, x: 2, requisite: all, preferred: "Z5 Z3", full: "Z5 Z3", fewest: 4,
				allowed: "falls back to Z2 and Z4 when Z5 and Z3, the preferred topologies, are full", verifies: "PF-05 PF-14"},
			{id: "T-PF-3e", line: 1197, x: 2, requisite: all, preferred: "Z5 Z3", full: "Z5 Z3 Z2", fewest: 2,
				allowed: "fails when only Z4 has room for a volume of two topologies", verifies: "PF-07 " + full},
		}},
		{"preferred without requisite", []example{
			{id: "T-PO-1", line: 1186, x: 1, preferred: "Z4 Z2", fewest: 2, times: 4,
				allowed: "creates a volume accessible from Z4, the first preferred topology, each time", verifies: "TR-02 PF-03 K8S-C12"},
			{id: "T-PO-2", line: 1195, x: 1, preferred: "Z4 Z2", full: "Z4 Z2", fewest: 3,
				allowed: "falls back to any topology with room when Z4 and Z2, the preferred topologies, are full", verifies: "TR-02 PF-06"},
		}},
		{"no requirement", []example{
			{id: "T-NR", line: 903, x: 1, fewest: 1,
				allowed: "creates a volume in topologies that exist when none is asked for", verifies: "CV-21 CV-23 PF-01 K8S-C13"},
		}},
		{"invalid requirement", []example{
			{id: "T-BAD-1", line: 1189, x: 1, requisite: "Z2", preferred: "Z3", fewest: 2,
				allowed: "never uses Z3, preferred but not in requisite", verifies: "TR-04 PF-04 GEN-12 K8S-C14"},
			{id: "T-BAD-2", line: 1124, x: 1, empty: true, fewest: 1,
				allowed: "refuses an empty TopologyRequirement, or ignores it", verifies: "TR-03 PF-02 GEN-12 K8S-C14"},
			{id: "T-BAD-3", line: 1297, x: 1, requisite: "Z9", fewest: 1,
				allowed: "refuses a topology that no node reports", verifies: "TR-04 TR-08 CREATE-08 GEN-12 K8S-C15"},
		}},
		{"name used again", []example{
			{id: "T-ID-1", line: 808, x: 1, requisite: "Z2", again: []string{"Z2", "Z2 Z3"}, fewest: 1,
				allowed: "returns the same volume for a repeated name, for Z2 again and for Z2 or Z3", verifies: "CV-02 CV-03 CV-07 VOL-08 VOL-12"},
			{id: "T-ID-2", line: 1296, x: 1, requisite: "Z2", again: []string{"Z3"}, fewest: 2,
				allowed: "returns ALREADY_EXISTS for a repeated name in Z3 when its volume is in Z2", verifies: "CREATE-02 CREATE-06 GEN-15 GEN-16 K8S-B12"},
			{id: "T-ID-3", line: 1297, x: 1, requisite: "Z2", full: "Z2", again: []string{"Z3"}, fewest: 2,
				allowed: "creates a volume in Z3 under the name that was refused in the full Z2", verifies: "TR-07 TR-08 CV-02 " + full},
		}},
	}
}
