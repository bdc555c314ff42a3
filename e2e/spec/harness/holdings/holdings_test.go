// SPDX-License-Identifier: Apache-2.0

package holdings

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/inventory"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
)

// listOfPages answers ListVolumes: it maps each token to the ids of a page and the next
// token.
type listOfPages map[string]struct {
	ids  []string
	next string
}

// Invoke answers with the page that the request's token asks for.
func (p listOfPages) Invoke(_ context.Context, _ string, request, response any, _ ...grpc.CallOption) error {
	page := p[request.(*csi.ListVolumesRequest).GetStartingToken()]
	answer := response.(*csi.ListVolumesResponse)
	answer.NextToken = page.next
	for _, id := range page.ids {
		answer.Entries = append(answer.Entries, &csi.ListVolumesResponse_Entry{Volume: &csi.Volume{VolumeId: id}})
	}
	return nil
}

// NewStream is never called: CSI has no streams here.
func (listOfPages) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	panic("not a CSI call")
}

func TestListVolumesReadsEveryPage(t *testing.T) {
	for _, c := range []struct {
		name  string
		given listOfPages
		want  string
		err   string
	}{
		{"one page", listOfPages{"": {[]string{"a"}, ""}}, "a", ""},
		{"two pages", listOfPages{"": {[]string{"a", "b"}, "1"}, "1": {[]string{"c"}, ""}}, "a b c", ""},
		{"pages that never end", listOfPages{"": {[]string{"a"}, "1"}, "1": {nil, "1"}}, "a", "its pages never end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Reader{Controller: csi.NewControllerClient(c.given), Pages: &pages.Reader{}}
			got, err := r.ListVolumes(t.Context())
			if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("ListVolumes = %v, want %q", err, c.err)
			}
			if ids := strings.Join(slices.Sorted(maps.Keys(got)), " "); ids != c.want {
				t.Errorf("got volumes %q, want %q", ids, c.want)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	before := State{Volumes: map[string]bool{"a": true, "b": true}, Rooms: map[string]room.Space{"Z2": {Available: 5}, "Z3": {Available: 5}}}
	after := State{Volumes: map[string]bool{"b": true, "c": true}, Rooms: map[string]room.Space{"Z2": {Available: 5}, "Z3": {Available: 4}}}
	want := []string{"volume c is listed, and was not", "volume a is not listed any more", "Z3 has 4 bytes available, and had 5"}
	if got := after.differences(before, counted{everybody, everybody}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for name, other := range map[string]State{
		"the same":         before,
		"told nothing now": {},
		"told some of it":  {Volumes: before.Volumes, Rooms: map[string]room.Space{"Z2": {Available: 5}}},
	} {
		if got := other.differences(before, counted{everybody, everybody}); len(got) != 0 {
			t.Errorf("%s: it differs: %q", name, got)
		}
		if got := before.differences(other, counted{everybody, everybody}); len(got) != 0 {
			t.Errorf("%s: it differs, the other way about: %q", name, got)
		}
	}
}

func TestToldIsWhatTheDriverAnswers(t *testing.T) {
	ids := map[string]bool{"a": true}
	for _, c := range []struct {
		name  string
		given error
		want  map[string]bool
		fails bool
	}{
		{"a list", nil, ids, false},
		{"a refusal", status.Error(codes.Unimplemented, "no"), nil, false},
		{"no answer", fmt.Errorf("listing: %w", &attempt.NoAnswer{Last: status.Error(codes.Unavailable, "connection refused")}), nil, true},
		{"a call that is put off for ever", fmt.Errorf("listing: %w", &attempt.NoAnswer{Last: status.Error(codes.Unavailable, "busy"), Pending: true}), nil, false},
		{"a list that is not to be used", (&pages.Reader{}).NoteEndless("ListVolumes", "its pages never end", true), nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := told(ids, c.given)
			if !maps.Equal(got, c.want) || (err != nil) != c.fails {
				t.Errorf("told = %v, %v, want %v, an error: %v", got, err, c.want, c.fails)
			}
		})
	}
}

func everybody(string) bool { return true }

func TestOnlyWhatTheRunMadeCounts(t *testing.T) {
	before := State{Volumes: map[string]bool{"foreign": true}, kept: map[string]bool{"listed late": true}}
	after := State{Volumes: map[string]bool{"own": true, "listed late": true, "other": true}}
	for _, c := range []struct {
		name  string
		given bool
		want  []string
	}{
		{"others use the back end", false, []string{"volume own is listed, and was not"}},
		{"it is the run's alone", true, []string{"volume other is listed, and was not", "volume own is listed, and was not", "volume foreign is not listed any more"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Reader{Profile: profile.Profile{Exclusive: c.given}, Made: &inventory.Made{}}
			r.Made.Answered(nil, &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "own"}})
			if got := after.differences(before, r.ofTheCase()); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
