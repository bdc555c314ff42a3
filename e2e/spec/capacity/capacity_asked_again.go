package capacity

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Who asks twice, while nothing happens, gets the same answer twice: one of two different ones would not be the
// capacity.
func capacityAskedAgain(s *harness.Suite) {
	labels := verdict.Case("capacity_asked_again", "CAP-11", "CAP-12")
	needs := harness.Needs{ExactCapacity: true}
	s.Case("answers the same when it is asked again", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, segment := range everywhere(under) {
			request := under.CapacityRequest(segment)
			first, again := tell(ctx, under, request), tell(ctx, under, request)

			gomega.Expect(proto.Equal(first, again)).To(gomega.BeTrue(), "nothing happened between two calls, and the capacity (CAP-12) is %v and then %v", first, again)
		}
	})
}
