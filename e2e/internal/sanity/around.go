// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// undoing maps the RPCs that undo the effect of another to the clause about that. DeleteVolume is not among them: a
// snapshot of the volume may be a reason to refuse it.
var undoing = map[string]string{"NodeUnpublishVolume": "NS-16", "NodeUnstageVolume": "NS-06", "ControllerUnpublishVolume": "CU-10"}

// useOf names the use of a volume that the request begins or ends; it is empty for any other request.
func useOf(request proto.Message) string {
	switch r := request.(type) {
	case *csi.NodePublishVolumeRequest:
		return fmt.Sprintf("target %q of %q", r.GetTargetPath(), r.GetVolumeId())
	case *csi.NodeUnpublishVolumeRequest:
		return fmt.Sprintf("target %q of %q", r.GetTargetPath(), r.GetVolumeId())
	case *csi.NodeStageVolumeRequest:
		return fmt.Sprintf("staging %q of %q", r.GetStagingTargetPath(), r.GetVolumeId())
	case *csi.NodeUnstageVolumeRequest:
		return fmt.Sprintf("staging %q of %q", r.GetStagingTargetPath(), r.GetVolumeId())
	case *csi.ControllerPublishVolumeRequest:
		return fmt.Sprintf("node %q of %q", r.GetNodeId(), r.GetVolumeId())
	case *csi.ControllerUnpublishVolumeRequest:
		return fmt.Sprintf("node %q of %q", r.GetNodeId(), r.GetVolumeId())
	default:
		return ""
	}
}

// noteUse records the uses of volumes that the driver has answered with OK, and the first one that it refuses to end in a
// clean-up.
func (r *run) noteUse(c call) {
	use, ends := useOf(c.request), undoing[c.rpc] != ""
	switch {
	case use == "":
	case c.err == nil:
		r.uses[use] = !ends
	case ends && r.at == (place{}) && r.uses[use] && r.refused.err == nil:
		r.refused = c
	}
}

// judgeAround judges a failure around a case. That is no verdict on the driver, unless it refused to undo a call that it
// had answered with OK.
func (r *run) judgeAround(failure string) {
	switch r.refused.code() {
	case codes.OK, codes.Canceled, codes.Aborted, codes.DeadlineExceeded, codes.Unavailable, codes.ResourceExhausted:
		suite.CouldNotTell("csi-sanity could not prepare the case, or clean up after it: %s", inWords(failure))
	default:
		message := fmt.Sprintf("csi-sanity cleans up after the case; %s. The calls that it undoes were answered OK.", r.refused)
		suite.FailAbout([]string{undoing[r.refused.rpc]}, "%s", r.mustTell(r.refused, message))
	}
}
