// SPDX-License-Identifier: Apache-2.0

package creation

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// Answer is the answer of CreateVolume, with the traces of a failed call in the driver.
type Answer struct {
	model.Answer
	// Name is the requested name, and Sent the requirement, which a case may judge as if it was another.
	Name string
	Sent *csi.TopologyRequirement
	// VolumeID, Context and Volume come from an OK answer.
	VolumeID string
	Context  map[string]string
	Volume   *csi.Volume
	// Details counts the status details of a failed answer, and Left describes how the driver differs from before
	// the call.
	Details int
	Left    []string
	// unseen reports that no call could show the traces of a failed call.
	unseen bool
}

// AnswerOf returns the answer of one call.
func AnswerOf(request *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) Answer {
	answer := Answer{Name: request.GetName(), Sent: request.GetAccessibilityRequirements()}
	if err != nil {
		failed := status.Convert(err)
		answer.Code, answer.Message, answer.Details = failed.Code(), failed.Message(), len(failed.Details())
		return answer
	}
	volume := response.GetVolume()
	answer.Code, answer.Volume, answer.VolumeID, answer.Context = codes.OK, volume, volume.GetVolumeId(), volume.GetVolumeContext()
	answer.Segments = messages.Segments(volume.GetAccessibleTopology())
	return answer
}
