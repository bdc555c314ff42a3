// SPDX-License-Identifier: Apache-2.0

package mutation

import "strings"

// Expectation is a driver and what the cases say of it.
type Expectation struct {
	Driver
	Cases []Case
	// Wide says that no cases are run besides those named: the fault shows in more of them, or there is nothing to learn
	// from the rest. Otherwise it must show in no others.
	Wide bool
	// Whole says that what is wrong shows only in a run with all of the cases named, and not in those alone that catch it.
	Whole bool
}

// Named are the ids of the cases of which something is expected.
func (e Expectation) Named() []string {
	var ids []string
	for _, c := range e.Cases {
		ids = append(ids, strings.Fields(c.IDs)...)
	}
	return ids
}

// Drivers are those of the expectations, each with the cases that are run against it.
func Drivers(wanted map[string]Expectation) map[string]Driver {
	drivers := map[string]Driver{}
	for name, expectation := range wanted {
		if expectation.Wide {
			expectation.Only = expectation.Named()
		}
		drivers[name] = expectation.Driver
	}
	return drivers
}

// Wrong are drivers with these faults, and by their names what cases say of them. Of a fault without expectation nothing
// is expected, and an expectation without a fault is of a driver that is right: neither holds.
func Wrong(faults map[string]Fault, catches map[string][]Case, wide func(name string) bool) map[string]Expectation {
	wanted := map[string]Expectation{}
	for name := range catches {
		wanted[name] = Expectation{Cases: catches[name], Wide: wide(name)}
	}
	for name, fault := range faults {
		wanted[name] = Expectation{Driver: Driver{Fault: fault}, Cases: catches[name], Wide: wide(name)}
	}
	return wanted
}
