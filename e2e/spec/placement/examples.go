package placement

import (
	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// example2 is the second example of preferred: requisite Z2 to Z5, preferred Z4, then Z2. A driver with fewer segments is
// asked with those that it has, the last of them in Z4's place.
func example2(under *harness.Driver) model.Request {
	zones := under.Zones(4)
	const third = 2
	return under.Volume(1).Within(zones...).Preferring(zones[min(third, len(zones)-1)], zones[0])
}

// example3 is the third example of preferred: for two topologies, requisite Z2 to Z5, preferred Z5, then Z3. A driver with
// fewer segments is asked with those that it has, the last of them in Z5's place; of two, only that one is preferred.
func example3(under *harness.Driver) model.Request {
	zones := under.Zones(4)
	last := zones[len(zones)-1]
	asked := under.Volume(2).Within(zones...).Preferring(last)
	if !last.Equal(under.Z3) {
		asked = asked.Preferring(last, under.Z3)
	}
	return asked
}

// preferredOnly has no requisite, and prefers Z4, then Z2. A driver with two segments is asked for Z3 only, so that there
// is one that is not preferred.
func preferredOnly(under *harness.Driver) model.Request {
	if under.Z4 == nil {
		return under.Volume(1).Preferring(under.Z3)
	}
	return under.Volume(1).Preferring(under.Z4, under.Z2)
}

// others are the topologies of requisite that are not preferred.
func others(asked model.Request) model.Set {
	var found model.Set
	for _, segment := range asked.Requisite {
		if !asked.Preferred.Contains(segment) {
			found = append(found, segment)
		}
	}
	return found
}
