// SPDX-License-Identifier: Apache-2.0

package service

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	// pathLimit is the maximum length of a path in bytes on Linux, without the final NUL.
	pathLimit = 4096 - 1
	// nameLimit is the maximum length of each name in a path in bytes on Linux.
	nameLimit = 255
)

// checkPath answers INVALID_ARGUMENT unless the field holds an absolute path in its one
// clean form: two ways to write a path would be two paths to this driver, and ".." or a
// trailing slash lead to another place where there are links.
func checkPath(field, path string) error {
	problem := ""
	switch {
	case path == "":
		problem = "is required and was empty"
	case len(path) > pathLimit:
		return status.Errorf(codes.InvalidArgument, "%s has %d bytes, and may have %d", field, len(path), pathLimit)
	case slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool { return len(name) > nameLimit }):
		return status.Errorf(codes.InvalidArgument, "%s has a name of more than %d bytes in it", field, nameLimit)
	case strings.ContainsRune(path, 0):
		problem = "must not contain NUL"
	case !filepath.IsAbs(path):
		problem = "must be an absolute path"
	case path == "/":
		problem = "must be below the root directory"
	case filepath.Clean(path) != path:
		problem = `must have no element "." or "..", no empty one and no slash at its end`
	default:
		return nil
	}
	return status.Errorf(codes.InvalidArgument, "%s %s, got %q", field, problem, path)
}

// checkOptionalPath does what checkPath does, for a field that may be empty.
func checkOptionalPath(field, path string) error {
	if path == "" {
		return nil
	}
	return checkPath(field, path)
}

// checkVolumePath does what checkPath does, for the path that a volume is said to be
// at. It answers NOT_FOUND for a relative path, where no volume can be, as csi-sanity
// wants too.
func checkVolumePath(path string) error {
	err := checkPath("volume_path", path)
	if err != nil && path != "" && len(path) <= pathLimit && !filepath.IsAbs(path) {
		return status.Error(codes.NotFound, status.Convert(err).Message())
	}
	return err
}

// checkNoLink answers INVALID_ARGUMENT if there is a symbolic link at the path, which
// would redirect the mount, or if the path cannot exist. It accepts a path where nothing
// is, and links on the way. Any other failure is left to the mounter: only the mounter
// can find out what became of a volume that broke down.
func checkNoLink(field, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENAMETOOLONG):
		return status.Errorf(codes.InvalidArgument, "there can be nothing at %s: %v", field, err)
	case err == nil && info.Mode().Type() == fs.ModeSymlink:
		return status.Errorf(codes.InvalidArgument, "%s %s is a symbolic link, and must not be: remove it", field, path)
	}
	return nil
}

// checkTarget answers INVALID_ARGUMENT unless a target can be made at the path:
// its parent directory is the caller's to make (CSI spec, NodePublishVolume).
func checkTarget(path string) error {
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return status.Errorf(codes.InvalidArgument, "the parent of target_path must be a directory that the caller made: %s is none", filepath.Dir(path))
	}
	return checkNoLink("target_path", path)
}

// checkApart answers INVALID_ARGUMENT if one of the paths is the other or is in it:
// a target there would be in the volume, or be hidden by it.
func checkApart(staging, target string) error {
	if staging == target || strings.HasPrefix(target, staging+"/") || strings.HasPrefix(staging, target+"/") {
		return status.Errorf(codes.InvalidArgument, "target_path %s and staging_target_path %s must not be one in the other", target, staging)
	}
	return nil
}
