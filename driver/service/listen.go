// SPDX-License-Identifier: Apache-2.0

package service

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"
)

const (
	// socketPathLimit is the number of bytes of a path that the kernel keeps for a unix
	// socket.
	socketPathLimit = 107
	// dialTimeout limits how long a socket takes to show that it is served.
	dialTimeout = time.Second
)

// Listen opens the unix socket that endpoint ("unix:///absolute/path") names, for this user only: the socket has mode
// 0600, and its directory, which is created with mode 0700 if it is missing, lets no other user replace it. A socket
// without a server is replaced; anything else at that path is an error and stays. Closing the listener removes the
// socket.
func Listen(endpoint string) (net.Listener, error) {
	path, err := socketPath(endpoint)
	if err != nil {
		return nil, err
	}
	directory := filepath.Dir(path)
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return nil, fmt.Errorf("creating the directory of socket %s: %w", path, err)
	}
	if err := checkDirectory(directory); err != nil {
		return nil, fmt.Errorf("opening socket %s: %w", path, err)
	}
	if err := removeUnserved(path); err != nil {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("opening socket %s: %w", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("closing socket %s to other users: %w", path, err), listener.Close())
	}
	return listener, nil
}

// socketPath returns the absolute path that endpoint names.
func socketPath(endpoint string) (string, error) {
	path, found := strings.CutPrefix(endpoint, "unix://")
	if !found || !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return "", fmt.Errorf("endpoint %q is not a unix socket: want unix:///absolute/path", endpoint)
	}
	if len(path) > socketPathLimit {
		return "", fmt.Errorf("the socket path %s is too long: the kernel allows %d bytes and it takes %d; choose a shorter one",
			path, socketPathLimit, len(path))
	}
	return path, nil
}

// checkDirectory returns an error for a directory that every user may write to. A directory that a group may write to is
// allowed, because that right was given on purpose, and so is a sticky directory such as /tmp, where users cannot replace
// each other's files. A mount point is allowed too: the emptyDir of a pod is one, to which every user may write and which
// only the containers of the pod see.
func checkDirectory(directory string) error {
	info, err := os.Stat(directory)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o002 == 0 || info.Mode()&fs.ModeSticky != 0 {
		return nil
	}
	mounted, err := mountinfo.Mounted(directory)
	if err != nil {
		return fmt.Errorf("finding out whether %s is a mount: %w", directory, err)
	}
	if !mounted {
		return fmt.Errorf("every user may replace what is in %s (%s): take that permission away, or name a directory below it, which is then created for this user only",
			directory, info.Mode())
	}
	return nil
}

// removeUnserved removes a socket without a server, as a killed process leaves it. It
// succeeds if nothing is at the path, and fails for anything else.
func removeUnserved(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at %s: %w", path, err)
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s exists and is not a socket: remove it, or choose another endpoint", path)
	}
	connection, err := net.DialTimeout("unix", path, dialTimeout)
	if err == nil {
		_ = connection.Close()
		return fmt.Errorf("another process serves %s: end it, or choose another endpoint", path)
	}
	if !errors.Is(err, unix.ECONNREFUSED) {
		return fmt.Errorf("finding out whether %s is still served: %w", path, err)
	}
	return os.Remove(path)
}
