// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestRepetitions(t *testing.T) {
	refusing := RefusingAll[*deletion](codes.Aborted, "no")
	id := (*deletion).GetVolumeId
	for _, c := range []struct {
		name  string
		given Fault
		want  []codes.Code // of deleting a, a, b and none twice
	}{
		{"again", Again(id, refusing), []codes.Code{codes.OK, codes.Aborted, codes.OK, codes.InvalidArgument, codes.InvalidArgument}},
		{"first", First(id, Instead(func(*deletion) *deleted { return &deleted{} })), []codes.Code{codes.OK, codes.OK, codes.OK, codes.OK, codes.InvalidArgument}},
		{"first, which is refused", First(id, refusing), []codes.Code{codes.Aborted, codes.Aborted, codes.Aborted, codes.Aborted, codes.Aborted}},
		{"remembering", Remembering(id).Over(Again(id, refusing)), []codes.Code{codes.OK, codes.OK, codes.OK, codes.InvalidArgument, codes.InvalidArgument}},
		{"remembering instead of", RememberingInsteadOf(codes.Aborted, id).Over(Again(id, refusing)),
			[]codes.Code{codes.OK, codes.OK, codes.OK, codes.InvalidArgument, codes.InvalidArgument}},
		{"remembering instead of another", RememberingInsteadOf(codes.NotFound, id).Over(Again(id, refusing)),
			[]codes.Code{codes.OK, codes.Aborted, codes.OK, codes.InvalidArgument, codes.InvalidArgument}},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := started(t, Driver{Fault: c.given})
			var got []codes.Code
			for _, volume := range []string{"a", "a", "b", "", ""} {
				_, err := csi.NewControllerClient(target.Controller).DeleteVolume(t.Context(), &deletion{VolumeId: volume})
				got = append(got, status.Code(err))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
