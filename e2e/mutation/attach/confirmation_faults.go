// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"fmt"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// confirmationFaults returns drivers that confirm other capabilities than the request's.
func confirmationFaults() map[string]mutation.Expectation {
	confirming := func(change func(r *question) []*csi.VolumeCapability) mutation.Fault {
		return mutation.Answering(func(r *question, response *answer) {
			if response.GetConfirmed() != nil {
				response.Confirmed.VolumeCapabilities = change(r)
			}
		})
	}
	return map[string]mutation.Expectation{
		"confirms once only": mutation.Wide(mutation.Again((*question).GetVolumeId, mutation.Answering(func(_ *question, response *answer) {
			response.Confirmed, response.Message = nil, "it was confirmed before"
		})), mutation.Fails("validate_again", "VV-06")),
		"confirms anything of a volume once it has confirmed something": mutation.Wrong(confirmingOnceForAll(),
			mutation.Fails("validate_unknown_mode", "VV-01")),
		"says in other words what it does not confirm": mutation.Wide(inOtherWords(), mutation.Passes("validate_again")),
		"confirms access modes without an access type": mutation.Wrong(confirming(func(*question) []*csi.VolumeCapability {
			return []*csi.VolumeCapability{{AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER}}}
		}), mutation.Fails("validate_confirms", "VV-05")),
		"confirms another access mode than it was asked for": mutation.Wrong(confirming(func(r *question) []*csi.VolumeCapability {
			return []*csi.VolumeCapability{messages.As(r.GetVolumeCapabilities()[0], csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY)}
		}), mutation.Warns("validate_confirms", "VV-01")),
	}
}

// confirmingOnceForAll makes a driver that remembers that it has confirmed something for a volume, but not what.
func confirmingOnceForAll() mutation.Fault {
	confirmed := map[string]bool{} // by volume_id
	return mutation.Answering(func(r *question, response *answer) {
		if response.GetConfirmed() != nil {
			confirmed[r.GetVolumeId()] = true
		} else if confirmed[r.GetVolumeId()] {
			response.Confirmed = &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: r.GetVolumeCapabilities()}
		}
	})
}

// inOtherWords makes a correct driver that confirms nothing, each time with a different message.
func inOtherWords() mutation.Fault {
	var count atomic.Int64
	return mutation.Answering(func(_ *question, response *answer) {
		response.Confirmed, response.Message = nil, fmt.Sprintf("question %d is not answered here", count.Add(1))
	})
}
