// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
)

// Check implements Provisioner.
func (i *Images) Check(_ context.Context, id string, size Size) ([]Problem, error) {
	if _, err := imageName(id); err != nil {
		return nil, err
	}
	info, err := i.stat(id)
	if err != nil {
		return []Problem{imageProblem(DataLoss, err)}, nil
	}
	if info.Size() < size.Bytes {
		return []Problem{{
			Severity: DataLoss, Reason: "ImageTruncated",
			Message: fmt.Sprintf("image %s has %d bytes and should have %d: restore the volume from a snapshot", info.Name(), info.Size(), size.Bytes),
		}}, nil
	}
	if size.Allocated && !isAllocated(info) {
		return []Problem{{
			Severity: Degraded, Reason: "ImageNotAllocated",
			Message: fmt.Sprintf("image %s has %d bytes of blocks and should have %d, some were given back (by fstrim, or the mount option discard): expand the volume to take them again", info.Name(), blocksOf(info), info.Size()),
		}}, nil
	}
	return nil, nil
}

// imageProblem is what keeps an image from being looked at.
func imageProblem(severity Severity, err error) Problem {
	switch {
	case errors.Is(err, ErrNotFound):
		return Problem{Severity: severity, Reason: "ImageMissing", Message: err.Error()}
	case errors.Is(err, ErrRefused):
		return Problem{Severity: Inaccessible, Reason: "ImageReplaced", Message: err.Error()}
	default:
		return unreachable(err)
	}
}

func unreachable(err error) Problem {
	return Problem{
		Severity: Inaccessible, Reason: "DataDirectoryUnreachable",
		Message: fmt.Sprintf("mount the data directory, and let the driver read it: %v", err),
	}
}
