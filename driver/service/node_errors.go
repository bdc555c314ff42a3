package service

import (
	"context"
	"errors"
	"path/filepath"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// nodeStatus gives what a mounter answered its gRPC code.
func nodeStatus(err error) error {
	code := codes.Internal
	switch {
	case err == nil:
		return nil
	case errors.Is(err, volume.ErrNotFound):
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

// requireVolumeID answers INVALID_ARGUMENT when the request names no volume (GEN-11).
func requireVolumeID(id string) error {
	if id == "" {
		return status.Error(codes.InvalidArgument, "volume_id is required and was empty")
	}
	return nil
}

// requireVolumePath answers INVALID_ARGUMENT when the request does not say where
// the volume is; where it is not, which is any relative path, is NOT_FOUND.
func requireVolumePath(path string) error {
	if path == "" {
		return status.Error(codes.InvalidArgument, "volume_path is required and was empty")
	}
	return nil
}

// requirePath answers INVALID_ARGUMENT unless the field holds an absolute path.
func requirePath(field, path string) error {
	if path == "" {
		return status.Errorf(codes.InvalidArgument, "%s is required and was empty", field)
	}
	if !filepath.IsAbs(path) {
		return status.Errorf(codes.InvalidArgument, "%s must be an absolute path, got %q", field, path)
	}
	return nil
}
