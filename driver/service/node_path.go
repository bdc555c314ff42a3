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

// checkPath returns INVALID_ARGUMENT unless the field holds an absolute path in its one clean form: two ways to write a
// path would be two paths to this driver, and ".." or a trailing slash lead to another place where there are links.
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

// checkVolumePath does what checkPath does, for volume_path. It returns NOT_FOUND for a relative path, where no volume
// can be, as csi-sanity also expects.
func checkVolumePath(path string) error {
	err := checkPath("volume_path", path)
	if err != nil && path != "" && len(path) <= pathLimit && !filepath.IsAbs(path) {
		return status.Error(codes.NotFound, status.Convert(err).Message())
	}
	return err
}

// checkNoLink returns INVALID_ARGUMENT if there is a symbolic link at the path, which would redirect the mount, or if the
// path cannot exist. It accepts a path that does not exist, and links in parent directories. Other failures are left to
// the mounter: only the mounter can determine the state of a broken volume.
func checkNoLink(field, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENAMETOOLONG):
		return status.Errorf(codes.InvalidArgument, "nothing can exist at %s: %v", field, err)
	case err == nil && info.Mode().Type() == fs.ModeSymlink:
		return status.Errorf(codes.InvalidArgument, "%s %s is a symbolic link, and must not be: remove it", field, path)
	}
	return nil
}

// checkTarget returns INVALID_ARGUMENT unless a target can be made at the path: the caller must create its parent
// directory (CSI spec, NodePublishVolume).
func checkTarget(path string) error {
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return status.Errorf(codes.InvalidArgument, "the parent of target_path must be a directory that the caller created: %s is not a directory", filepath.Dir(path))
	}
	return checkNoLink("target_path", path)
}

// checkApart returns INVALID_ARGUMENT if the paths are equal or one is inside the other: the target would be inside the
// volume, or hidden by it.
func checkApart(staging, target string) error {
	if staging == target || strings.HasPrefix(target, staging+"/") || strings.HasPrefix(staging, target+"/") {
		return status.Errorf(codes.InvalidArgument, "target_path %s and staging_target_path %s must not contain each other", target, staging)
	}
	return nil
}
