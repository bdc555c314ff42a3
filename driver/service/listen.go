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
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// socketPathLimit is how many bytes of a path the kernel keeps for a unix socket.
	socketPathLimit = 107
	// staleTimeout is how long a socket in our place may take to show that it is alive.
	staleTimeout = time.Second
)

// Listen opens the unix socket that endpoint ("unix:///absolute/path") names,
// for this user only: the socket has mode 0600, and its directory, where it is
// missing, is made with mode 0700. A socket that nobody serves is
// replaced; anything else at that path is an error and stays as it is, and so is a
// directory in which anybody could replace the socket by another.
// Closing the listener removes the socket.
func Listen(endpoint string) (net.Listener, error) {
	path, err := socketPath(endpoint)
	if err != nil {
		return nil, err
	}
	directory := filepath.Dir(path)
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of socket %s: %w", path, err)
	}
	unlock, err := lockDirectory(directory)
	if err != nil {
		return nil, fmt.Errorf("opening socket %s: %w", path, err)
	}
	defer unlock()
	if err := closedToOthers(directory); err != nil {
		return nil, fmt.Errorf("opening socket %s: %w", path, err)
	}
	if err := expectStale(path); err != nil {
		return nil, err
	}

	// Between bind and chmod a socket is open to others, so it is bound in a directory
	// that nobody else may enter, and gets its name when it is closed to them.
	private, err := os.MkdirTemp(directory, ".")
	if err != nil {
		return nil, fmt.Errorf("making a private directory beside socket %s: %w", path, err)
	}
	bound, aside := filepath.Join(private, "s"), filepath.Join(private, "o")
	defer func() {
		for _, name := range []string{bound, aside, private} {
			_ = os.Remove(name)
		}
	}()
	if len(bound) > socketPathLimit {
		return nil, fmt.Errorf("the socket path %s is too long: the kernel allows %d bytes and binding it takes %d; choose a shorter one",
			path, socketPathLimit, len(bound))
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: bound, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listening on socket %s: %w", path, err)
	}
	listener.SetUnlinkOnClose(false)
	info, err := publish(bound, path, aside)
	if err != nil {
		_ = listener.Close()
		return nil, fmt.Errorf("opening socket %s: %w", path, err)
	}
	return &socket{UnixListener: listener, path: path, info: info}, nil
}

// lockDirectory waits until no other process that opens or closes a socket in the
// directory is at it: of those that find one stale socket, each looks only when the
// one before has put its own in that place.
func lockDirectory(name string) (unlock func(), err error) {
	directory, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(directory.Fd()), unix.LOCK_EX)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		_ = directory.Close()
		return nil, fmt.Errorf("locking directory %s: %w", name, err)
	}
	return func() { _ = directory.Close() }, nil
}

// closedToOthers returns an error for a directory that every user may write to. A
// group that may is somebody's decision, and in a sticky directory such as /tmp
// nobody can replace what another user made.
func closedToOthers(directory string) error {
	info, err := os.Stat(directory)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return fmt.Errorf("every user may replace what is in %s (%s): take that permission away, or name a directory below it, which is then made for this user only",
			directory, info.Mode())
	}
	return nil
}

// publish gives the bound socket the path, and returns what is there then. Whoever
// does not lock the directory may put something there at any time; that stays.
func publish(bound, path, aside string) (fs.FileInfo, error) {
	if err := os.Chmod(bound, 0o600); err != nil {
		return nil, err
	}
	if err := displaceStale(path, aside); err != nil {
		return nil, err
	}
	// Unlike a rename, a link takes the place of nothing.
	if err := os.Link(bound, path); err != nil {
		return nil, err
	}
	return os.Lstat(path)
}

// displaceStale moves what is at path aside, where there is no doubt what it is, and
// back unless it is a stale socket.
func displaceStale(path, aside string) error {
	err := os.Rename(path, aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := expectStale(aside); err != nil {
		return errors.Join(fmt.Errorf("something else took the place of a stale socket just now: %w", err), os.Link(aside, path))
	}
	return nil
}

// socketPath is the absolute path that endpoint names.
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

// expectStale returns nil if nothing is at path, or a socket that nobody serves.
func expectStale(path string) error {
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
	connection, err := net.DialTimeout("unix", path, staleTimeout)
	if err == nil {
		_ = connection.Close()
		return fmt.Errorf("another process serves %s: end it, or choose another endpoint", path)
	}
	if !errors.Is(err, unix.ECONNREFUSED) {
		return fmt.Errorf("finding out whether %s is still served: %w", path, err)
	}
	return nil
}

// socket is a listener that goes by the path it was published at, and takes that
// path away with it.
type socket struct {
	*net.UnixListener
	path   string
	info   fs.FileInfo
	remove sync.Once
}

func (s *socket) Addr() net.Addr { return &net.UnixAddr{Name: s.path, Net: "unix"} }

func (s *socket) Close() error {
	s.remove.Do(s.unpublish)
	return s.UnixListener.Close()
}

// unpublish removes the socket, unless what is at the path is another one.
func (s *socket) unpublish() {
	unlock, err := lockDirectory(filepath.Dir(s.path))
	if err != nil {
		return
	}
	defer unlock()
	if info, err := os.Lstat(s.path); err == nil && os.SameFile(info, s.info) {
		_ = os.Remove(s.path)
	}
}
