// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// wrongOfSockets returns drivers with sockets that more users can connect to than should.
func wrongOfSockets() map[string]mutation.Expectation {
	const everyUser, reached, closed = 0o777, 0o755, 0o700
	return map[string]mutation.Expectation{
		"its socket is open to every user": mutation.Expect(mutation.Driver{Running: opening(everyUser, reached)},
			mutation.Warns("identity_socket_closed", "GEN-19")),
		"its socket is open to every user, in a directory that is not": mutation.Expect(mutation.Driver{Running: opening(everyUser, closed)},
			mutation.Passes("identity_socket_closed")),
	}
}

// opening gives the controller's socket, and its directory, these modes. A directory that others reach is below others that
// they reach.
func opening(socket, directory os.FileMode) func(*embedded.Driver, *harness.Target) {
	const others = 0o001
	return func(driver *embedded.Driver, _ *harness.Target) {
		path := strings.TrimPrefix(driver.Controller, "unix://")
		err := errors.Join(os.Chmod(path, socket), os.Chmod(filepath.Dir(path), directory))
		for above := filepath.Dir(filepath.Dir(path)); err == nil && directory&others != 0; above = filepath.Dir(above) {
			var info os.FileInfo
			if info, err = os.Stat(above); err != nil || info.Mode()&others != 0 {
				break
			}
			err = os.Chmod(above, info.Mode().Perm()|others)
		}
		if err != nil {
			panic(err)
		}
	}
}
