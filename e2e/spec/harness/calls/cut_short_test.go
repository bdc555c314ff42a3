// SPDX-License-Identifier: Apache-2.0

package calls

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestCutShort(t *testing.T) {
	const slow = 20 * time.Second // longer than any call is waited for
	busy := status.Error(codes.Aborted, "the driver is busy")
	locked := status.Error(codes.Internal, "the volume is locked")
	full := status.Error(codes.ResourceExhausted, "there is no room")
	tests := []struct {
		name string
		// takes is how long the driver takes for a call. says lists its answers, one after another, to the calls that
		// it has time for; OK follows.
		takes time.Duration
		says  []error
		cut   int
		// answers holds the numbers of the calls that are OK, and err the error of the last call.
		answers []int
		err     error
		warns   bool
	}{
		{name: "a driver that answers at once", answers: []int{1, 2}},
		{name: "a driver that takes a while", takes: 10 * time.Millisecond, cut: 5, answers: []int{6, 7}},
		{name: "a driver that takes long", takes: slow, cut: 9, answers: []int{10, 11}},
		{name: "a driver that is still busy", takes: 10 * time.Millisecond, says: []error{busy}, cut: 5, answers: []int{7, 8}},
		{name: "a driver that has forgotten", says: []error{nil, locked}, answers: []int{1}, err: locked},
		{name: "a driver that is locked for a while", says: []error{locked, locked}, answers: []int{3, 4}, warns: true},
		{name: "a driver that stays locked", says: slices.Repeat([]error{locked}, 100), err: locked},
		{name: "a driver that limits rates", says: []error{full}, answers: []int{2, 3}},
		{name: "a driver without room", says: slices.Repeat([]error{full}, 100), err: full},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said suite.Outcome
				driver := harness.New(&harness.Target{Timeouts: profile.Timeouts{Settle: time.Second}}).Open(t.Context(), harness.Case{ID: "case"})
				calls := 0
				answers, err := CutShort(suite.With(t.Context(), &said), driver, func(ctx context.Context) (int, error) {
					calls++
					if deadline, short := ctx.Deadline(); short && time.Until(deadline) <= test.takes {
						<-ctx.Done()
						return 0, status.FromContextError(ctx.Err()).Err()
					}
					if len(test.says) == 0 {
						return calls, nil
					}
					answer := test.says[0]
					test.says = test.says[1:]
					return calls, answer
				})

				if !slices.Equal(answers, test.answers) || !errors.Is(err, test.err) {
					t.Errorf("got the answers %v and %v, want %v and %v", answers, err, test.answers, test.err)
				}
				result := said.Result(suite.Listed{}, nil)
				if proof := result.Evidence; len(proof) != 1 || string(proof[0].Value) != strconv.Itoa(test.cut) {
					t.Errorf("got %v, want %d calls given up", proof, test.cut)
				}
				if warns := result.Verdict == suite.Warned; warns != test.warns {
					t.Errorf("it warns: %t, want %t", warns, test.warns)
				}
				if reduced := result.DecidedBy == suite.ByEnvironment; !test.warns && reduced != (test.cut == 0) {
					t.Errorf("it is reduced: %t, and %d calls were cut", reduced, test.cut)
				}
			})
		})
	}
}
