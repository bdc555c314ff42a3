// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"path"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// readable is the error of a call, which has no answer to judge where that is too large to be read: what it did is not known.
// gRPC has the code for want of room for it, RESOURCE_EXHAUSTED. A list is what limits_of_answers is about: the cases that look
// for something in it are left out.
func readable(c connection, method string, err error) error {
	if !statuses.TooLarge(err) {
		return err
	}
	none := &attempt.NoAnswer{
		Last: status.Error(codes.Internal, status.Convert(err).Message()),
		Text: fmt.Sprintf("the answer of %s at %s has more than %d bytes, and could not be read: %s. gRPC takes %d bytes where nobody says otherwise, as in the sidecars",
			path.Base(method), c.name, wire.LargestAnswer, status.Convert(err).Message(), wire.UsualAnswer),
	}
	if strings.HasPrefix(path.Base(method), "List") {
		none.SkippedBy = suite.ByCapability
	}
	return none
}
