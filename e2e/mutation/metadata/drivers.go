// SPDX-License-Identifier: Apache-2.0

// Package metadata has drivers that report wrongly which blocks of a snapshot were written to, or have changed, and correct
// drivers that report it in another way.
package metadata

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// The cases, by subject.
const (
	allocated = "metadata_allocated"
	delta     = "metadata_delta"
	nothing   = "metadata_delta_of_nothing"
	results   = "metadata_max_results"
	offset    = "metadata_starting_offset"
	unknown   = "metadata_unknown_snapshot"
	beyond    = "metadata_offset_out_of_range"
	required  = "metadata_required_fields"

	all = allocated + " " + delta + " " + nothing + " " + results + " " + offset + " " + unknown + " " + beyond + " " + required
)

// Drivers returns the faulty drivers, and the correct ones.
func Drivers() map[string]mutation.Expectation {
	return mutation.Focused("^metadata_", mutation.Union(faults(), rights()))
}

// rights returns drivers that are correct, or lack something.
func rights() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no capability SNAPSHOT_METADATA_SERVICE": mutation.Without(csi.PluginCapability_Service_SNAPSHOT_METADATA_SERVICE, mutation.Skips(all, suite.ByCapability)),
		"no capability CREATE_DELETE_SNAPSHOT":    mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, mutation.Skips(all, suite.ByCapability)),
		"no raw block volumes": mutation.Told(func(t *harness.Target) { t.Profile.Block = false },
			mutation.Skips(all, suite.ByProfile)),
		"does not track changed blocks": mutation.Wrong(mutation.Streaming(func(_ *deltaRequest, _ []*deltaResponse, err error) ([]*deltaResponse, error) {
			if err != nil {
				return nil, err
			}
			return nil, status.Error(codes.FailedPrecondition, "changed block tracking is not enabled")
		}),
			mutation.Passes(allocated+" "+results+" "+offset+" "+unknown+" "+beyond+" "+required), mutation.Skips(delta+" "+nothing, suite.ByEnvironment)),
		"does not compare snapshots of different sizes": mutation.Wrong(mutation.Streaming(func(_ *deltaRequest, sent []*deltaResponse, err error) ([]*deltaResponse, error) {
			for _, m := range sent {
				if m.GetVolumeCapacityBytes() > size {
					return nil, status.Error(codes.InvalidArgument, "the snapshots are of different sizes")
				}
			}
			return sent, err
		}), mutation.Passes(all)),
		"tells blocks of one size": mutation.Wrong(FixedLength(), mutation.Passes(all)),
		"sends no message without tuples": mutation.Wrong(sending(func(_ request, sent []*allocatedResponse) []*allocatedResponse {
			return slices.DeleteFunc(sent, func(m *allocatedResponse) bool { return len(m.GetBlockMetadata()) == 0 })
		}), mutation.Passes(all)),
	}
}
