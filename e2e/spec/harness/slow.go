// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"strings"
	"time"
)

const getCapacity = "GetCapacity"

// Slow describes the calls that make the run long: calls that nearly every case makes and that take a second or more. It is
// empty otherwise. It calls the driver outside of any case.
func (s *Suite) Slow(ctx context.Context) string {
	var slow []string
	err := s.Ask(ctx, "slow", func(ctx context.Context, d *Driver) error {
		for _, call := range surveyed(d) {
			begin := time.Now()
			call.make(ctx)
			if text := slowly(call.rpc, time.Since(begin)); text != "" {
				slow = append(slow, text)
			}
		}
		return nil
	})
	if err != nil {
		return "" // the first case says so
	}
	return strings.Join(slow, "\n")
}

type surveyedCall struct {
	rpc  string
	make func(ctx context.Context)
}

// surveyed returns the calls by which the suite observes the changes of a case, as far as the driver has them. Cases judge
// their answers.
func surveyed(d *Driver) []surveyedCall {
	var calls []surveyedCall
	if d.Held.ListsVolumes {
		calls = append(calls, surveyedCall{"ListVolumes", func(ctx context.Context) { _, _ = d.Held.ListVolumes(ctx) }})
	}
	if d.Held.ListsSnapshots {
		calls = append(calls, surveyedCall{"ListSnapshots", func(ctx context.Context) { _, _ = d.Held.ListSnapshots(ctx) }})
	}
	if d.Room.Measured() {
		calls = append(calls, surveyedCall{getCapacity, func(ctx context.Context) { _, _ = d.Room.Read(ctx) }})
	}
	return calls
}

// slowly describes the consequence of a slow call. It is empty if the call is not slow.
func slowly(rpc string, took time.Duration) string {
	const long = time.Second
	if took < long {
		return ""
	}
	text := fmt.Sprintf("%s took %.1f s. Nearly every case waits for it, before and after its own calls, so the run takes long.", rpc, took.Seconds())
	if rpc == getCapacity {
		text += " With capacity: untracked in the profile, only the cases about GetCapacity call it; --focus and --label choose cases."
	} else {
		text += " --focus and --label choose cases."
	}
	return text
}
