// SPDX-License-Identifier: Apache-2.0

package unchosen

import "testing"

func TestWaysOfAProcessOfItsOwn(t *testing.T) {
	var got ways
	if got.add(Mutant{Outcome: Noticed, By: "attach_read_only: fail GEN-08", Ended: true}); got != (ways{crashed: 1}) {
		t.Errorf("got %+v, want that it crashes", got)
	}
}

func TestWays(t *testing.T) {
	for by, want := range map[string]ways{
		"the process: exit status 1: mutation: starting the embedded driver: no": {broken: 1},
		"the process: exit status 2: goroutine 1":                                {crashed: 1},
		"the process: signal: killed: ":                                          {silent: 1},
		"the process: context deadline exceeded: ":                               {silent: 1},
		"attach_read_only: fail GEN-08":                                          {silent: 1},
		"attach_read_only: error":                                                {others: 1},
	} {
		var got ways
		if got.add(Mutant{Outcome: Noticed, By: by}); got != want {
			t.Errorf("%q: got %+v, want %+v", by, got, want)
		}
	}
}
