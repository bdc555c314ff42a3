// SPDX-License-Identifier: Apache-2.0

package volume_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// sparse returns a file of the given size with one byte at each of the places.
func sparse(t *testing.T, bytes int64, places ...int64) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "snapshot"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	if err := file.Truncate(bytes); err != nil {
		t.Fatal(err)
	}
	for _, at := range places {
		if _, err := file.WriteAt([]byte{byte(1 + at%250)}, at); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

func TestRangesOf(t *testing.T) {
	const mib, block = 1 << 20, 64 << 10
	for _, test := range []struct {
		name         string
		bytes        int64
		places, base []int64 // nil means no base
		from         int64
		want         []int64 // places that are in a range
		not          []int64 // places that are in none
	}{
		{"nothing was written", 4 * mib, nil, nil, 0, nil, []int64{0, mib, 4*mib - 1}},
		{"the first and the last byte", 4 * mib, []int64{0, 4*mib - 1}, nil, 0, []int64{0, 4*mib - 1}, []int64{2 * mib}},
		{"from behind the first", 4 * mib, []int64{0, 2 * mib}, nil, mib, []int64{2 * mib}, []int64{0, mib}},
		{"from the middle of a range", 4 * mib, []int64{mib, mib + 1}, nil, mib + 1, []int64{mib + 1}, []int64{mib}},
		{"from the end", 4 * mib, []int64{0}, nil, 4 * mib, nil, []int64{0}},
		{"a size that no block has", mib + 7, []int64{mib + 6}, nil, 0, []int64{mib + 6}, []int64{0}},
		{"the same", 4 * mib, []int64{0, mib}, []int64{0, mib}, 0, nil, []int64{0, mib}},
		{"one more", 4 * mib, []int64{0, mib}, []int64{0}, 0, []int64{mib}, []int64{0}},
		{"one less", 4 * mib, []int64{mib}, []int64{0, mib}, 0, []int64{0}, []int64{mib}},
		{"neighbours", 4 * mib, []int64{mib, mib + block, mib + 2*block}, []int64{}, 0, []int64{mib, mib + block, mib + 2*block}, []int64{0, 2 * mib}},
		{"changes from an offset on", 4 * mib, []int64{0, mib, 3 * mib}, []int64{}, 2 * mib, []int64{3 * mib}, []int64{0, mib}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := sparse(t, test.bytes, test.places...)
			var base *os.File
			if test.base != nil {
				base = sparse(t, test.bytes, test.base...)
			}
			var found []volume.Range
			if err := volume.RangesOf(t.Context(), file, base, test.from, func(r volume.Range) error {
				found = append(found, r)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			end := test.from
			for i, r := range found {
				if r.Bytes <= 0 || r.Offset < end || i > 0 && base != nil && r.Offset == end || r.Offset+r.Bytes > test.bytes {
					t.Errorf("got %v, want ranges from %d to %d in their order, apart from each other", found, test.from, test.bytes)
				}
				end = r.Offset + r.Bytes
			}
			has := func(at int64) bool {
				return slices.ContainsFunc(found, func(r volume.Range) bool { return r.Offset <= at && at < r.Offset+r.Bytes })
			}
			for _, at := range test.want {
				if !has(at) {
					t.Errorf("got %v, want %d in it", found, at)
				}
			}
			for _, at := range test.not {
				if has(at) {
					t.Errorf("got %v, want %d not in it", found, at)
				}
			}
		})
	}
}

// TestRangesOfAVolumeThatHasGrown checks that a volume that has grown differs from the base beyond its end.
func TestRangesOfAVolumeThatHasGrown(t *testing.T) {
	const mib = 1 << 20
	var found []volume.Range
	err := volume.RangesOf(t.Context(), sparse(t, 4*mib, 0, 3*mib), sparse(t, mib, 0), 0, func(r volume.Range) error {
		found = append(found, r)
		return nil
	})
	if err != nil || len(found) != 1 || found[0].Offset > 3*mib || found[0].Offset < 2*mib {
		t.Errorf("got %v, %v, want what was written behind the end of the base", found, err)
	}
}

func TestRangesOfEnds(t *testing.T) {
	file, enough := sparse(t, 1<<20, 0), errors.New("enough")
	if err := volume.RangesOf(t.Context(), file, nil, 0, func(volume.Range) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("got %v, want the error of the caller", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := volume.RangesOf(ctx, file, nil, 0, func(volume.Range) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was given up", err)
	}
}
