// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

// hint returns advice about an endpoint that did not identify itself.
func hint(target string, err error) string {
	switch code := status.Code(err); {
	case code == codes.DeadlineExceeded:
		return "something listens there and does not answer: look at the driver's log"
	case !statuses.BrokenConnection(err):
		return "the server answers, but a CSI driver has to answer GetPluginInfo: check its message, and the flags that it was started with"
	}
	const where = "want one where a CSI driver listens, such as unix:///csi/csi.sock"
	path, isSocket := strings.CutPrefix(target, "unix:")
	if !isSocket {
		return "nothing is listening there: " + where
	}
	path = strings.TrimPrefix(path, "//")
	info, statErr := os.Stat(path)
	switch {
	case errors.Is(statErr, fs.ErrNotExist):
		return "there is no " + path + ": start the driver, or correct the path"
	case errors.Is(statErr, fs.ErrPermission) || strings.Contains(err.Error(), "permission denied"):
		return "this user may not connect to the socket: run csi-topo as its owner or as root, or change its rights"
	case statErr == nil && info.Mode().Type() != fs.ModeSocket:
		return path + " is not a socket: " + where
	case strings.Contains(err.Error(), "connection refused"):
		return "nothing is listening at the socket any more: start the driver again"
	default:
		return where
	}
}
