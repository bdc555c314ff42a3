// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"sync"

	"google.golang.org/protobuf/proto"
)

// Serially returns the fault for a driver that handles one call after another. A fault that keeps state needs that if
// calls overlap: a call that was given up continues while it is repeated.
func (f Fault) Serially() Fault {
	var mu sync.Mutex
	return f.And(OnAll(func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		mu.Lock()
		defer mu.Unlock()
		return call.Perform(ctx)
	}))
}

// Serially returns the same drivers, each of which handles one call after another: cases run concurrently, and a fault
// that keeps state needs no lock then.
func Serially(drivers map[string]Expectation) map[string]Expectation {
	serial := map[string]Expectation{}
	for name, expectation := range drivers {
		expectation.Fault = expectation.Fault.Serially()
		serial[name] = expectation
	}
	return serial
}
