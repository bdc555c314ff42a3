// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"maps"
	"slices"
)

// asked are the capabilities that the driver's own answers contain, or that csi-topo detects.
var asked = []string{
	"controllerExpansion", "nodeExpansion", "offlineExpansion", "onlineExpansion", "snapshotDataSource", "pvcDataSource",
	"volumeLimits", "topology", "capacity", "volumeMountGroup", "readWriteOncePod", "persistence",
}

// capabilities converts those that a profile has, and leaves the others to the driver's answers.
func (s *testDriver) capabilities(field string, given map[string]bool) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch {
		case name == "block":
			s.Profile.Block = given[name]
		case name == "RWX":
			s.readWriteMany = given[name]
		case slices.Contains(asked, name):
			// If the file denies it and the driver claims it, the cases should check it.
		case given[name]:
			s.left(field+"."+name, "no case of csi-topo depends on it")
		}
	}
	return nil
}
