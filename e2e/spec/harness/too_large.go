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

// readable converts the error of a call whose answer is too large to be read: the call has no answer to judge, because its
// effect is not known. gRPC reports it as RESOURCE_EXHAUSTED, the code for missing room. limits_of_answers judges the size
// of lists; cases that look for something in such a list are left out.
func readable(c connection, method string, err error) error {
	if !statuses.TooLarge(err) {
		return err
	}
	none := &attempt.NoAnswer{
		Last: status.Error(codes.Internal, status.Convert(err).Message()),
		Text: fmt.Sprintf("the answer of %s at %s has more than %d bytes, and could not be read: %s. The default limit of gRPC, which the sidecars use, is %d bytes",
			path.Base(method), c.name, wire.LargestAnswer, status.Convert(err).Message(), wire.UsualAnswer),
	}
	if strings.HasPrefix(path.Base(method), "List") {
		none.SkippedBy = suite.ByCapability
	}
	return none
}
