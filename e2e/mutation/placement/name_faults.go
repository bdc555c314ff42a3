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

// wrongNames are drivers that are wrong about names that exist.
func wrongNames() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"knows a name again only with the same requirement": mutation.Wide(knowsItsRequirement(),
			mutation.Fails("T-ID-1 name_repeated_in_other_words name_repeated_without_requirement name_repeated_with_other_preferred name_repeated_with_one_of_two", "CV-03")).Seen("scaleway-csi v0.3.6"),
		"answers a name from memory": mutation.Wrong(answersFromMemory(),
			mutation.Fails("T-ID-2 name_repeated_for_unknown", "CREATE-06"),
			mutation.Warns("name_repeated_for_other_pair", "CV-03"),
			mutation.Fails("name_used_again_elsewhere", "TR-04")),
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
			refusing(codes.ResourceExhausted, func(t *csi.Topology) bool { return mutation.ZoneOf(t) == "csi-topo-nowhere" }),
			mutation.Passes("name_repeated_for_unknown T-BAD-3")),
		"makes a volume for each of the calls for a name at the same time": mutation.Wrong(
			together(func(ctx context.Context, right mutation.Right, r *createRequest, before int) (*createResponse, error) {
				r.Name += strings.Repeat("-again", before)
				return right.CreateVolume(ctx, r)
			}), mutation.Warns("at_once_two_zones", "CV-07")),
		"cannot do two things at the same time": mutation.Wrong(
			together(func(ctx context.Context, right mutation.Right, r *createRequest, before int) (*createResponse, error) {
				if before > 0 {
					return nil, status.Error(codes.Internal, "the record is locked")
				}
				return right.CreateVolume(ctx, r)
			}), mutation.Warns("at_once_two_zones", "GEN-02")),
		"turns calls away while another for the name is under way": mutation.Wrong(
			together(func(ctx context.Context, right mutation.Right, r *createRequest, before int) (*createResponse, error) {
				if before > 0 {
					return nil, status.Error(codes.Aborted, "another call is under way")
				}
				return right.CreateVolume(ctx, r)
			}), mutation.Passes("at_once_two_zones")),
		"promises the last room to everybody": mutation.Wrong(
			mutation.InsteadOf(codes.ResourceExhausted, func(ctx context.Context, right mutation.Right, r *createRequest, exhausted error) (*createResponse, error) {
				if !mutation.Made("at_once_last_room", r.GetName()) {
					return nil, exhausted
				}
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

// knowsItsRequirement makes a driver that refuses a name when its requirement is not, word for word, what it was.
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

// answersFromMemory makes a driver that answers a name as it did the first time, whatever has become of the volume.
func answersFromMemory() mutation.Fault {
	var mu sync.Mutex
	answers := map[string]*createResponse{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		if mutation.Made("at_once_two_zones", r.GetName()) {
			return right.CreateVolume(ctx, r) // of calls at the same time it would depend on their order what is remembered
		}
		mu.Lock()
		before := answers[r.GetName()]
		mu.Unlock()
		if before != nil {
			return before, nil
		}
		response, err := right.CreateVolume(ctx, r)
		mu.Lock()
		defer mu.Unlock()
		answers[r.GetName()] = response
		return response, err
	})
}

// together makes a driver that is wrong when calls for one name come at the same time: the first waits for the second,
// and each is told how many came before it.
func together(do func(ctx context.Context, right mutation.Right, r *createRequest, before int) (*createResponse, error)) mutation.Fault {
	const calls = 4
	var mu sync.Mutex
	came := map[string]int{}
	second := map[string]chan struct{}{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		name := r.GetName()
		if !mutation.Made("at_once_two_zones", name) {
			return right.CreateVolume(ctx, r)
		}
		mu.Lock()
		before := came[name]
		came[name]++
		switch before {
		case 0:
			second[name] = make(chan struct{})
		case 1:
			close(second[name])
		}
		other := second[name]
		mu.Unlock()
		<-other
		if before >= calls {
			return right.CreateVolume(ctx, r)
		}
		return do(ctx, right, r, before)
	})
}
