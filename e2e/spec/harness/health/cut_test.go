// SPDX-License-Identifier: Apache-2.0

package health

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestTheCallsOfWhichADriverMayHaveDied(t *testing.T) {
	eof := status.Error(codes.Unavailable, "error reading from server: EOF")
	call := func(caseID, rpc string) Cut { return Cut{caseID, rpc, "the controller", eof} }
	first, second, again := call("first", "CreateVolume {}"), call("second", "ListVolumes {}"), call("first", "DeleteVolume {}")
	for _, test := range []struct {
		name     string
		cut      []Cut
		answered bool
		want     []string
		not      []string
	}{
		{"one", []Cut{first}, false, []string{"stopped answering during CreateVolume {} at the controller, in the case first"}, []string{"--focus"}},
		{"none that reached the driver", nil, false, []string{"during DeleteVolume {}"}, []string{"--focus"}},
		{"two cases", []Cut{second, first}, false,
			[]string{"  ListVolumes {} at the controller, in the case second: UNAVAILABLE", "  CreateVolume {}", "one at a time with --focus: second, first"}, nil},
		{"two calls of a case", []Cut{first, again}, false, []string{"  CreateVolume {}", "  DeleteVolume {}"}, []string{"--focus"}},
		{"it answered in between", []Cut{second}, true, []string{"during DeleteVolume {}"}, []string{"second"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &Health{}
			for _, c := range test.cut {
				h.NoteCut(c)
			}
			if test.answered {
				h.NoteAnswer()
			}
			calls, isFirst := h.Stop(again)
			if !isFirst {
				t.Error("want the first to be told")
			}
			if _, isFirst := h.Stop(first); isFirst {
				t.Error("want only the first to be told")
			}
			said := During(calls)
			for _, want := range test.want {
				if !strings.Contains(said, want) {
					t.Errorf("want %q in:\n%s", want, said)
				}
			}
			for _, not := range test.not {
				if strings.Contains(said, not) {
					t.Errorf("want no %q in:\n%s", not, said)
				}
			}
			if want := "see the case " + StaysUp; !strings.HasSuffix(h.StoppedSince(), want) {
				t.Errorf("want later cases to be told %q, got %q", want, h.StoppedSince())
			}
		})
	}
}
