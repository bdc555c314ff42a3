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
	"syscall"
	"time"
)

const (
	// socketPathLimit is how many bytes of a path the kernel keeps for a unix socket.
	socketPathLimit = 107
	// staleTimeout is how long a socket in our place may take to show that it is alive.
	staleTimeout = time.Second
)

// Listen opens the unix socket that endpoint ("unix:///absolute/path") names,
// for this user only: the socket has mode 0600, and its directory, where it is
// missing, is made with mode 0700. A socket that nobody serves any more is
// replaced; anything else at that path is an error and stays as it is.
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
	if err := expectStale(path); err != nil {
		return nil, err
	}

	// Between bind and chmod a socket is open to others, so it is bound in a
	// directory that nobody else may enter, and renamed when it is closed to them.
	private, err := os.MkdirTemp(directory, ".")
	if err != nil {
		return nil, fmt.Errorf("making a private directory beside socket %s: %w", path, err)
	}
	defer func() { _ = os.Remove(private) }()
	bound := filepath.Join(private, "s")
	if len(bound) > socketPathLimit {
		return nil, fmt.Errorf("the socket path %s is too long: the kernel allows %d bytes and binding it takes %d; choose a shorter one",
			path, socketPathLimit, len(bound))
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: bound, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listening on socket %s: %w", path, err)
	}
	listener.SetUnlinkOnClose(false)
	if err := publish(bound, path); err != nil {
		_ = listener.Close()
		_ = os.Remove(bound)
		return nil, fmt.Errorf("opening socket %s: %w", path, err)
	}
	return &socket{UnixListener: listener, path: path}, nil
}

func publish(bound, path string) error {
	if err := os.Chmod(bound, 0o600); err != nil {
		return err
	}
	return os.Rename(bound, path)
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
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("finding out whether %s is still served: %w", path, err)
	}
	return nil
}

// socket is a listener that goes by the path it was renamed to, and takes that
// path away with it.
type socket struct {
	*net.UnixListener
	path   string
	remove sync.Once
}

func (s *socket) Addr() net.Addr { return &net.UnixAddr{Name: s.path, Net: "unix"} }

func (s *socket) Close() error {
	s.remove.Do(func() { _ = os.Remove(s.path) })
	return s.UnixListener.Close()
}
