// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// TestAListThatDoesNotWork checks that a list that cannot be used is not read any more, and is read again after any other
// error.
func TestAListThatDoesNotWork(t *testing.T) {
	broken := status.Error(codes.Unavailable, "error reading from server: EOF")
	internal := status.Error(codes.Internal, "the inventory is lost")
	for _, c := range []struct {
		name string
		// given holds the answers to the first page of each read; nil means a list of two pages.
		given []error
		want  Unusable
		used  bool
	}{
		{"one that works", []error{nil, nil, nil, nil}, Unusable{}, true},
		{"the driver dies of it", []error{nil, &attempt.NoAnswer{Last: broken, Fails: true}}, Unusable{Silent: true}, false},
		{"the driver has died of something else", []error{&attempt.NoAnswer{Last: broken}, &attempt.NoAnswer{Last: broken}, &attempt.NoAnswer{Last: broken}}, Unusable{}, true},
		{"refused twice", []error{internal, internal}, Unusable{}, true},
		{"refused again and again", []error{internal, internal, internal}, Unusable{Refused: internal}, false},
		{"put off again and again", []error{&attempt.NoAnswer{Last: broken, Pending: true}, &attempt.NoAnswer{Last: broken, Pending: true}, &attempt.NoAnswer{Last: broken, Pending: true}}, Unusable{Refused: broken}, false},
		{"refused now and then", []error{internal, internal, nil, internal, internal}, Unusable{}, true},
		{"not implemented", []error{status.Error(codes.Unimplemented, "no")}, Unusable{Refused: status.Error(codes.Unimplemented, "no")}, false},
		{"left out by the profile", []error{&attempt.NoAnswer{Last: status.Error(codes.Unimplemented, "no"), SkippedBy: "profile"}}, Unusable{}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lists Reader
			for _, answer := range c.given {
				_ = lists.Survey(t.Context(), "ListVolumes", func(_ context.Context, token string) (string, error) {
					if token == "" && answer == nil {
						return "2", nil
					}
					return "", answer
				})
			}
			used := false
			err := lists.Survey(t.Context(), "ListVolumes", func(ctx context.Context, _ string) (string, error) {
				used = attempt.IsSurveying(ctx)
				return "", nil
			})
			if used != c.used || IsUnusable(err) == c.used {
				t.Errorf("it is used: %v, %v, want %v", used, err, c.used)
			}
			got := lists.Unusable("ListVolumes")
			if c.used {
				if got != nil {
					t.Errorf("got %+v, want it usable", got)
				}
				return
			}
			if got.Silent != c.want.Silent || status.Code(got.Refused) != status.Code(c.want.Refused) || got.Endless || len(lists.AllUnusable()) != 1 {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestAListWhosePagesNeverEnd(t *testing.T) {
	var lists Reader
	err := lists.Each(t.Context(), "ListSnapshots", func(context.Context, string) (string, error) { return "0", nil })
	var unusable *Unusable
	if !errors.As(err, &unusable) || !unusable.Endless || lists.Unusable("ListVolumes") != nil {
		t.Errorf("got %v, want that the pages of this list never end", err)
	}
	if lists.Unusable("ListSnapshots with snapshot_id") != unusable {
		t.Error("want no part of it used either")
	}
}
