// SPDX-License-Identifier: Apache-2.0

package service

import (
	"math"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// testSizes, rounded to units, have a minimum of 104 bytes and a maximum of 4096.
var testSizes = Sizes{MinimumBytes: 100, MaximumBytes: 4100, DefaultBytes: 500, UnitBytes: 8}.orDefaults()

func rangeOf(required, limit int64) *csi.CapacityRange {
	return &csi.CapacityRange{RequiredBytes: required, LimitBytes: limit}
}

func TestSizeOfANewVolume(t *testing.T) {
	for _, test := range []struct {
		name  string
		given *csi.CapacityRange
		want  int64
		code  codes.Code
	}{
		{"no range", nil, 504, codes.OK},
		{"required", rangeOf(160, 0), 160, codes.OK},
		{"required, rounded up", rangeOf(161, 0), 168, codes.OK},
		{"required below the smallest", rangeOf(1, 0), 104, codes.OK},
		{"exactly", rangeOf(160, 160), 160, codes.OK},
		{"exactly what cannot be", rangeOf(161, 161), 0, codes.OutOfRange},
		{"between two units", rangeOf(161, 167), 0, codes.OutOfRange},
		{"a limit above the default", rangeOf(0, 4000), 504, codes.OK},
		{"a limit below the default", rangeOf(0, 407), 400, codes.OK},
		{"a limit below the smallest", rangeOf(0, 103), 0, codes.OutOfRange},
		{"the largest", rangeOf(4096, 0), 4096, codes.OK},
		{"more than the largest", rangeOf(4097, 0), 0, codes.OutOfRange},
		{"more than the largest, and a limit", rangeOf(4097, 8192), 0, codes.OutOfRange},
		{"more than can be counted", rangeOf(math.MaxInt64, 0), 0, codes.OutOfRange},
		{"neither", rangeOf(0, 0), 0, codes.InvalidArgument},
		{"negative required", rangeOf(-1, 0), 0, codes.InvalidArgument},
		{"negative limit", rangeOf(0, -1), 0, codes.InvalidArgument},
		{"required above the limit", rangeOf(200, 199), 0, codes.InvalidArgument},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := testSizes.choose(test.given)
			if got != test.want || status.Code(err) != test.code {
				t.Errorf("got %d and %v, want %d and %s", got, err, test.want, test.code)
			}
		})
	}
}

func TestSizeOfAnExpandedVolume(t *testing.T) {
	for _, test := range []struct {
		name  string
		given *csi.CapacityRange
		want  int64
		code  codes.Code
	}{
		{"larger", rangeOf(401, 0), 408, codes.OK},
		{"as large", rangeOf(400, 0), 400, codes.OK},
		{"smaller", rangeOf(200, 0), 400, codes.OK},
		{"the largest", rangeOf(4096, 0), 4096, codes.OK},
		{"more than the largest", rangeOf(4097, 0), 0, codes.OutOfRange},
		{"only a limit", rangeOf(0, 4000), 400, codes.OK},
		{"a limit below what it has", rangeOf(200, 399), 0, codes.OutOfRange},
		{"between two units", rangeOf(401, 407), 0, codes.OutOfRange},
		{"neither", rangeOf(0, 0), 0, codes.InvalidArgument},
		{"negative", rangeOf(-1, 0), 0, codes.InvalidArgument},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := testSizes.grown(400, test.given)
			if got != test.want || status.Code(err) != test.code {
				t.Errorf("got %d and %v, want %d and %s", got, err, test.want, test.code)
			}
		})
	}
}

func TestLargestAndSmallestSize(t *testing.T) {
	for room, want := range map[int64]int64{0: 0, 103: 0, 104: 104, 167: 160, 4095: 4088, 4097: 4096, math.MaxInt64: 4096} {
		if got := testSizes.largest(room); got != want {
			t.Errorf("room of %d bytes: the largest size is %d, want %d", room, got, want)
		}
	}
	if got := testSizes.smallest(); got != 104 {
		t.Errorf("the smallest size is %d, want 104", got)
	}
}

func TestSizesUnlessTold(t *testing.T) {
	for _, test := range []struct {
		name                       string
		given                      Sizes
		smallest, largest, usually int64
	}{
		{"nothing told", Sizes{}, 1, math.MaxInt64, 1 << 30},
		{"the largest is less than what volumes usually have", Sizes{MaximumBytes: 1000, UnitBytes: 64}, 64, 960, 960},
	} {
		t.Run(test.name, func(t *testing.T) {
			sizes := test.given.orDefaults()
			if got := sizes.smallest(); got != test.smallest {
				t.Errorf("the smallest size is %d, want %d", got, test.smallest)
			}
			if got := sizes.largest(math.MaxInt64); got != test.largest {
				t.Errorf("the largest size is %d, want %d", got, test.largest)
			}
			if got, err := sizes.choose(nil); got != test.usually || err != nil {
				t.Errorf("without capacity_range: got %d and %v, want %d", got, err, test.usually)
			}
		})
	}
}
