// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Expectation is a driver and what the cases say of it.
type Expectation struct {
	Driver
	Cases []Case
	// Wide says that no cases are run besides those named: the fault shows in more of them, or there is nothing to learn
	// from the rest. Otherwise it must show in no others.
	Wide bool
	// Whole says that what is wrong shows only in a run with all of the cases named, and not in those alone that catch it.
	Whole bool
	// SeenIn names the real drivers that do the same: with the version or commit that was run or read, or the issue that reports
	// it. It is empty if none is known.
	SeenIn string
}

// Seen returns the driver with the real ones that do the same.
func (e Expectation) Seen(in string) Expectation {
	e.SeenIn = in
	return e
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

// Wrong is a driver with a fault that the named cases see, and no others. Where they all pass, the fault is none.
func Wrong(fault Fault, cases ...Case) Expectation {
	return Expectation{Driver: Driver{Fault: fault}, Cases: cases}
}

// Wide is a driver with a fault that shows in more cases than those named.
func Wide(fault Fault, cases ...Case) Expectation {
	return Expectation{Driver: Driver{Fault: fault}, Cases: cases, Wide: true}
}

// Without is a driver that lacks the capability, and is right.
func Without(capability protoreflect.Enum, cases ...Case) Expectation {
	return Wrong(Lacking(capability), cases...)
}

// WithoutTopology is a driver whose volumes and snapshots are accessible from everywhere.
func WithoutTopology(cases ...Case) Expectation {
	return Expectation{Driver: Driver{Options: InOneSegment, Fault: Lacking(Topology...)}, Cases: cases}
}

// Started is the driver that is right, started in another way.
func Started(options func(*embedded.Options), cases ...Case) Expectation {
	return Expectation{Driver: Driver{Options: options}, Cases: cases}
}

// Told is the driver that is right, of which the cases are told something else.
func Told(target func(*harness.Target), cases ...Case) Expectation {
	return Expectation{Driver: Driver{Target: target}, Cases: cases}
}
