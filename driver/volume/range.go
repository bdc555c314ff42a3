// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Range is a part of a volume, in bytes; it is not empty.
type Range struct{ Offset, Bytes int64 }

// comparedBytes is the number of bytes that are compared at once, and belong to one
// range if any of them differs.
const comparedBytes = 64 << 10

// RangesOf does what Provisioner.Ranges does, for the file of a snapshot; base is nil
// for none. If the file system does not report holes, all of a file counts as written.
func RangesOf(ctx context.Context, file, base *os.File, from int64, found func(Range) error) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if base == nil {
		return data(ctx, file, from, info.Size(), found)
	}
	join := joiner{found: found}
	// Ranges without data in either file do not differ.
	err = eitherData(ctx, file, base, from, info.Size(), func(r Range) error {
		return differences(ctx, file, base, r, join.add)
	})
	if err != nil {
		return err
	}
	return join.flush()
}

// data calls found with the ranges of data in the file, from an offset to an end.
func data(ctx context.Context, file *os.File, from, end int64, found func(Range) error) error {
	for at := from; at < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		begin, err := unix.Seek(int(file.Fd()), at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			return nil // only a hole until the end
		}
		if err != nil {
			return fmt.Errorf("looking for data in %s: %w", file.Name(), err)
		}
		hole, err := unix.Seek(int(file.Fd()), begin, unix.SEEK_HOLE)
		if err != nil {
			return fmt.Errorf("looking for a hole in %s: %w", file.Name(), err)
		}
		if hole = min(hole, end); begin < hole {
			if err := found(Range{begin, hole - begin}); err != nil {
				return err
			}
		}
		at = hole
	}
	return nil
}

// eitherData calls found with the ranges where one of the files has data; they may
// touch each other.
func eitherData(ctx context.Context, file, base *os.File, from, end int64, found func(Range) error) error {
	next := func(of *os.File, at int64) (Range, error) {
		first := Range{end, 0}
		err := data(ctx, of, at, end, func(r Range) error {
			first = r
			return errFirst
		})
		if errors.Is(err, errFirst) {
			err = nil
		}
		return first, err
	}
	for at := from; at < end; {
		one, err := next(file, at)
		if err != nil {
			return err
		}
		other, err := next(base, at)
		if err != nil {
			return err
		}
		if other.Offset < one.Offset {
			one = other
		}
		if one.Bytes == 0 {
			return nil
		}
		if err := found(one); err != nil {
			return err
		}
		at = one.Offset + one.Bytes
	}
	return nil
}

// errFirst ends a search after the first range.
var errFirst = errors.New("the first is found")

// differences calls found with the blocks of the range where the files differ. Bytes beyond the end of the base always
// differ.
func differences(ctx context.Context, file, base *os.File, in Range, found func(Range) error) error {
	one, other := make([]byte, comparedBytes), make([]byte, comparedBytes)
	for at, end := in.Offset, in.Offset+in.Bytes; at < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(end-at, comparedBytes-at%comparedBytes)
		if _, err := file.ReadAt(one[:n], at); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading %s: %w", file.Name(), err)
		}
		read, err := base.ReadAt(other[:n], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading %s: %w", base.Name(), err)
		}
		if int64(read) < n || !bytes.Equal(one[:n], other[:n]) {
			if err := found(Range{at, n}); err != nil {
				return err
			}
		}
		at += n
	}
	return nil
}

// joiner joins ranges that touch each other.
type joiner struct {
	found func(Range) error
	last  Range
}

func (j *joiner) add(r Range) error {
	if j.last.Bytes > 0 && j.last.Offset+j.last.Bytes == r.Offset {
		j.last.Bytes += r.Bytes
		return nil
	}
	if err := j.flush(); err != nil {
		return err
	}
	j.last = r
	return nil
}

// flush passes on the last range.
func (j *joiner) flush() error {
	if j.last.Bytes == 0 {
		return nil
	}
	last := j.last
	j.last = Range{}
	return j.found(last)
}
