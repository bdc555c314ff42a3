// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongNames returns drivers that are wrong about names that exist.
func wrongNames() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"knows a name again only with the same requirement": mutation.Wide(knowsItsRequirement(),
			mutation.Fails("T-ID-1 name_repeated_in_other_words name_repeated_without_requirement name_repeated_with_other_preferred name_repeated_with_one_of_two", "CV-03")).Seen("scaleway-csi v0.3.6"),
		"knows a name again only if the volume is in all of requisite": mutation.Wide(
			mutation.Again((*createRequest).GetName, mutation.RefusingSome(codes.AlreadyExists, "the volume is not in all of requisite", func(r *createRequest) bool {
				return xOf(r) > 1 && len(r.GetAccessibilityRequirements().GetRequisite()) > xOf(r)
			})), mutation.Fails("name_repeated_with_one_of_two", "CV-03")),
		"answers a name from memory": mutation.Wrong(mutation.Remembering((*createRequest).GetName).Serially(),
			mutation.Fails("T-ID-2 name_repeated_for_unknown at_once_two_zones", "CREATE-06"),
			mutation.Warns("name_repeated_for_other_pair", "CV-03"), mutation.Fails("name_used_again_elsewhere", "TR-04")),
		"looks for room before it looks for the name": mutation.Wide(
			mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
				if requisite := r.GetAccessibilityRequirements().GetRequisite(); len(requisite) == 1 {
					room, err := right.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: requisite[0]})
					if err == nil && room.GetAvailableCapacity() < r.GetCapacityRange().GetRequiredBytes() {
						return nil, status.Error(codes.ResourceExhausted, "full")
					}
				}
				return right.CreateVolume(ctx, r)
			}), mutation.Fails("name_repeated_when_full", "CV-03")),
		"looks at the topology before it looks for the name": mutation.Wide(
			mutation.InsteadOf(codes.AlreadyExists, func(_ context.Context, _ mutation.Right, r *createRequest, err error) (*createResponse, error) {
				if slices.ContainsFunc(r.GetAccessibilityRequirements().GetRequisite(), func(t *csi.Topology) bool { return !mutation.Unknown(t) }) {
					return nil, err
				}
				return nil, status.Error(codes.ResourceExhausted, "none of requisite is a topology of this storage")
			}), mutation.Passes("name_repeated_for_unknown T-BAD-3")),
		"makes another volume for calls for a name at the same time": mutation.Wide(
			mutation.Meanwhile[*createRequest](mutation.Asking(func(r *createRequest) { r.Name += "-again" })), mutation.Warns("at_once_two_zones", "CV-07")),
		"cannot do two things at the same time": mutation.Wide(
			mutation.Meanwhile[*createRequest](mutation.RefusingAll[*createRequest](codes.Internal, "the record is locked")), mutation.Warns("at_once_two_zones", "GEN-02")),
		"turns calls away while another for the name is under way": mutation.Wide(
			mutation.Meanwhile[*createRequest](mutation.RefusingAll[*createRequest](codes.Aborted, "another call is under way")), mutation.Passes("at_once_two_zones")),
		"promises the room of one topology in another": mutation.Wide(
			mutation.InsteadOf(codes.ResourceExhausted, func(ctx context.Context, right mutation.Right, r *createRequest, _ error) (*createResponse, error) {
				promised := r.GetAccessibilityRequirements().GetRequisite()
				r.AccessibilityRequirements = nil
				response, err := right.CreateVolume(ctx, r)
				if err == nil {
					response.Volume.AccessibleTopology = promised
				}
				return response, err
			}), mutation.Fails("at_once_last_room", "TR-08")),
	}
}

func knowsItsRequirement() mutation.Fault {
	var mu sync.Mutex
	asked := map[string]string{}
	return mutation.RefusingSome(codes.AlreadyExists, "the name is taken", func(r *createRequest) bool {
		required := r.GetAccessibilityRequirements()
		var words []string
		for _, t := range slices.Concat(required.GetRequisite(), required.GetPreferred()) {
			words = append(words, mutation.ZoneOf(t))
		}
		mu.Lock()
		before, found := asked[r.GetName()]
		asked[r.GetName()] = strings.Join(words, " ")
		mu.Unlock()
		return found && before != strings.Join(words, " ")
	})
}
