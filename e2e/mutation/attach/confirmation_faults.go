// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// confirmationFaults are drivers that say in other words than those of the request what they support.
func confirmationFaults() map[string]mutation.Expectation {
	confirming := func(change func(r *question) []*csi.VolumeCapability) mutation.Fault {
		return mutation.Answering(func(r *question, response *answer) {
			if response.GetConfirmed() != nil {
				response.Confirmed.VolumeCapabilities = change(r)
			}
		})
	}
	return map[string]mutation.Expectation{
		"confirms access modes without an access type": mutation.Wrong(confirming(func(*question) []*csi.VolumeCapability {
			return []*csi.VolumeCapability{{AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER}}}
		}), mutation.Fails("validate_confirms", "VV-05")),
		"confirms another access mode than it was asked for": mutation.Wrong(confirming(func(r *question) []*csi.VolumeCapability {
			return []*csi.VolumeCapability{messages.As(r.GetVolumeCapabilities()[0], csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY)}
		}), mutation.Warns("validate_confirms", "VV-01")),
	}
}
