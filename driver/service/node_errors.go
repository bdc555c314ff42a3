// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// nodeStatus gives the error of a mounter its gRPC code.
func nodeStatus(err error) error {
	code := codes.Internal
	switch {
	case err == nil:
		return nil
	case errors.Is(err, volume.ErrNotFound), errors.Is(err, volume.ErrReplaced):
		code = codes.NotFound
	case errors.Is(err, volume.ErrInvalid):
		code = codes.InvalidArgument
	case errors.Is(err, volume.ErrIncompatible):
		code = codes.AlreadyExists
	case errors.Is(err, volume.ErrRefused):
		code = codes.FailedPrecondition
	case errors.Is(err, context.DeadlineExceeded):
		code = codes.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		code = codes.Canceled
	}
	return status.Error(code, err.Error())
}

// requireOurs returns NOT_FOUND for an id that does not have the form of this driver's ids.
func requireOurs(volumeID string) error {
	if _, ours := volume.KindOf(volumeID); !ours {
		return status.Errorf(codes.NotFound, "there is no volume %q: the id does not have the form of this driver's ids", volumeID)
	}
	return nil
}
