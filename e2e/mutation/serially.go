// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"sync"

	"google.golang.org/protobuf/proto"
)

// Serially is the fault in a driver that handles one call after another. A fault that remembers something needs that where
// calls overlap: one that was given up goes on while it is repeated.
func (f Fault) Serially() Fault {
	var mu sync.Mutex
	return f.And(OnAll(func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		mu.Lock()
		defer mu.Unlock()
		return call.Perform(ctx)
	}))
}

// Serially are the same drivers, each of which handles one call after another: cases run side by side, and a fault that
// remembers something needs no lock of its own.
func Serially(drivers map[string]Expectation) map[string]Expectation {
	serial := map[string]Expectation{}
	for name, expectation := range drivers {
		expectation.Fault = expectation.Fault.Serially()
		serial[name] = expectation
	}
	return serial
}
