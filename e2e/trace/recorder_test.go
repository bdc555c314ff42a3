// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"cmp"
	"slices"
	"testing"
)

func TestRecorderKeepsTheLastCalls(t *testing.T) {
	const calls = 5
	small := exchange{method: "/csi.v1.Controller/CreateVolume"}
	for _, test := range []struct {
		name string
		keep int
		room int
		each exchange
		want []int64
	}{
		{"all, where there is room", calls, 0, small, []int64{1, 2, 3, 4, 5}},
		{"as many as it was told", 2, 0, small, []int64{4, 5}},
		{"no more than fit, and the last in any case", calls, 1, small, []int64{5}},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := &bytes.Buffer{}
			r := NewRecorder("", "", test.keep, out)
			r.room = cmp.Or(test.room, r.room)
			for range calls {
				r.add(test.each)
				if err := r.write(); err != nil {
					t.Fatal(err)
				}
			}
			var got []int64
			for _, l := range r.lines {
				got = append(got, l.number)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("kept calls %v, want %v", got, test.want)
			}
			if written := bytes.Count(out.Bytes(), []byte("\n")); written != calls {
				t.Errorf("wrote %d calls, want all %d", written, calls)
			}
		})
	}
}
