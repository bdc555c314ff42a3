// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// The mode bits that let every user connect to a socket, and reach the content of a directory.
const (
	othersConnect fs.FileMode = 0o002
	othersReach   fs.FileMode = 0o001
)

func sockets() []harness.Case {
	return []harness.Case{{
		ID:           "identity_socket_closed",
		Text:         "should listen on sockets that not every user of the machine can connect to",
		Requirements: []string{"GEN-19"},
		Run: func(ctx context.Context, driver *harness.Driver) {
			sockets := socketsOf(driver.Target.Endpoints)
			if len(sockets) == 0 {
				suite.Skip(suite.ByEnvironment, "the driver listens on no Unix socket of this machine")
			}
			for _, socket := range sockets {
				mode, open, err := isOpen(socket)
				if err != nil {
					suite.CouldNotTell("cannot find out who can connect to the socket %s: %v", socket, err)
				}
				suite.Should(ctx, "GEN-19", !open, "every user of this machine can connect to the socket %s, and create, delete and publish volumes: its mode is %04o, and every user can reach its directory\nListen on it with mode 0600, or in a directory of mode 0700", socket, mode)
				suite.Evidence(ctx, "mode of "+filepath.Base(socket), mode.String())
			}
		},
	}}
}

// isOpen reports whether every user can connect to the socket: its mode says so, and the modes of all directories above
// it.
func isOpen(socket string) (mode fs.FileMode, open bool, err error) {
	path, err := filepath.EvalSymlinks(socket)
	if err != nil {
		return 0, false, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, false, err
	}
	mode = info.Mode().Perm()
	for path, needed := path, othersConnect; ; path, needed = filepath.Dir(path), othersReach {
		if info, err = os.Stat(path); err != nil || info.Mode().Perm()&needed == 0 {
			return mode, false, err
		}
		if path == filepath.Dir(path) {
			return mode, true, nil
		}
	}
}

// socketsOf returns the paths of the driver's sockets on this machine, each once; none if it listens elsewhere.
func socketsOf(endpoints []string) []string {
	var found []string
	for _, endpoint := range endpoints {
		path, isSocket := strings.CutPrefix(endpoint, "unix:")
		path = strings.TrimPrefix(path, "//")
		if info, err := os.Stat(path); isSocket && err == nil && info.Mode().Type() == fs.ModeSocket && !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	return found
}
