// SPDX-License-Identifier: Apache-2.0

package service

import (
	"math"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Sizes describes the sizes that volumes may have, in bytes.
type Sizes struct {
	// MinimumBytes is the size of the smallest volume; 1 when 0.
	MinimumBytes int64
	// MaximumBytes is the size of the largest volume, however much room there is; no
	// limit when 0.
	MaximumBytes int64
	// DefaultBytes is the size of a volume without capacity_range; when 0, 1 GiB, or
	// the largest size if that is less.
	DefaultBytes int64
	// UnitBytes is the unit of all sizes; 1 when 0.
	UnitBytes int64
}

func (s Sizes) orDefaults() Sizes {
	s.UnitBytes = max(1, s.UnitBytes)
	s.MinimumBytes = max(1, s.MinimumBytes)
	if s.MaximumBytes == 0 {
		s.MaximumBytes = math.MaxInt64
	}
	if s.DefaultBytes == 0 {
		s.DefaultBytes = s.largest(1 << 30)
	}
	return s
}

// choose returns the size of a new volume: the smallest possible that satisfies
// the range, which may be nil (CR-01 to CR-06).
func (s Sizes) choose(r *csi.CapacityRange) (int64, error) {
	if r == nil {
		return s.fit(s.DefaultBytes, 0)
	}
	if err := checkRange(r); err != nil {
		return 0, err
	}
	if r.GetRequiredBytes() == 0 {
		// Rounded down here, because there is no size above a limit.
		limit := r.GetLimitBytes()
		return s.fit(min(s.DefaultBytes, limit-limit%s.UnitBytes), limit)
	}
	return s.fit(r.GetRequiredBytes(), r.GetLimitBytes())
}

// copied returns the size of a volume that begins as a copy of the given number of bytes: like choose, but never less
// than these. It returns OUT_OF_RANGE if they are more than the range allows.
func (s Sizes) copied(bytes int64, r *csi.CapacityRange) (int64, error) {
	if r == nil {
		return s.fit(bytes, 0)
	}
	if limit := r.GetLimitBytes(); limit > 0 && bytes > limit {
		return 0, status.Errorf(codes.OutOfRange, "the source has %d bytes, and capacity_range.limit_bytes allows %d", bytes, limit)
	}
	return s.fit(max(bytes, r.GetRequiredBytes()), r.GetLimitBytes())
}

// grown returns the size of a volume of the given size after an expansion to the range: never less than its present size.
func (s Sizes) grown(bytes int64, r *csi.CapacityRange) (int64, error) {
	if err := checkRange(r); err != nil {
		return 0, err
	}
	if limit := r.GetLimitBytes(); limit > 0 && bytes > limit {
		return 0, status.Errorf(codes.OutOfRange, "the volume has %d bytes, may have %d at most, and cannot shrink", bytes, limit)
	}
	if r.GetRequiredBytes() <= bytes {
		return bytes, nil
	}
	return s.fit(r.GetRequiredBytes(), r.GetLimitBytes())
}

// fit rounds a size up to one that a volume may have. It returns OUT_OF_RANGE if that is above the limit, where 0 means
// none, or above the maximum size.
func (s Sizes) fit(bytes, limit int64) (int64, error) {
	bytes = max(bytes, s.MinimumBytes)
	if limit == 0 {
		limit = math.MaxInt64
	}
	limit = min(limit, s.MaximumBytes)
	missing := (s.UnitBytes - bytes%s.UnitBytes) % s.UnitBytes
	if bytes > limit || missing > limit-bytes {
		return 0, status.Errorf(codes.OutOfRange,
			"capacity_range allows no possible size: at most %d bytes are allowed, at least %d needed, and sizes are multiples of %d",
			limit, bytes, s.UnitBytes)
	}
	return bytes + missing, nil
}

// largest returns the largest size that a volume may have in the given room in bytes; 0
// if there is none.
func (s Sizes) largest(room int64) int64 {
	room = min(room, s.MaximumBytes)
	size := room - room%s.UnitBytes
	if size < s.MinimumBytes {
		return 0
	}
	return size
}

// smallest returns the smallest size that a volume may have.
func (s Sizes) smallest() int64 {
	return (s.MinimumBytes + s.UnitBytes - 1) / s.UnitBytes * s.UnitBytes
}

// checkRange returns INVALID_ARGUMENT for a range that no size satisfies, or that is empty.
func checkRange(r *csi.CapacityRange) error {
	required, limit := r.GetRequiredBytes(), r.GetLimitBytes()
	switch {
	case required < 0:
		return status.Errorf(codes.InvalidArgument, "capacity_range.required_bytes must not be negative, got %d", required)
	case limit < 0:
		return status.Errorf(codes.InvalidArgument, "capacity_range.limit_bytes must not be negative, got %d", limit)
	case required == 0 && limit == 0:
		return status.Error(codes.InvalidArgument, "capacity_range must have required_bytes or limit_bytes, and has neither")
	case limit > 0 && required > limit:
		return status.Errorf(codes.InvalidArgument, "capacity_range.required_bytes %d is more than its limit_bytes %d", required, limit)
	}
	return nil
}
