// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// UsableVolumes requires each volume in an answer to CreateVolume to have an id, and the size that was requested: the
// provisioner rejects any other, and its claim stays Pending. It returns the clause that the first such volume contradicts;
// its Err is nil if there is none.
func UsableVolumes(calls []trace.Call) Clause {
	read := protojson.UnmarshalOptions{DiscardUnknown: true}
	for _, call := range CallsOf(calls, "CreateVolume") {
		request, answer := &csi.CreateVolumeRequest{}, &csi.CreateVolumeResponse{}
		if call.Code != codeOK || call.Cut != "" || read.Unmarshal(call.Request, request) != nil || read.Unmarshal(call.Response, answer) != nil {
			continue // there is no answer to judge, or not all of it was recorded
		}
		asked, volume := request.GetCapacityRange(), answer.GetVolume()
		bytes := volume.GetCapacityBytes()
		of := "CreateVolume of " + request.GetName() + " answered at " + clock(call.Time)
		switch {
		case volume.GetVolumeId() == "":
			return Clause{"VOL-03", mismatch(of, "a volume_id", "none")}
		case bytes > 0 && bytes < asked.GetRequiredBytes():
			return Clause{"CR-03", mismatch(of, fmt.Sprintf("at least %d bytes, which is required_bytes", asked.GetRequiredBytes()), fmt.Sprintf("capacity_bytes %d", bytes))}
		case asked.GetLimitBytes() > 0 && bytes > asked.GetLimitBytes():
			return Clause{"CR-05", mismatch(of, fmt.Sprintf("at most %d bytes, which is limit_bytes", asked.GetLimitBytes()), fmt.Sprintf("capacity_bytes %d", bytes))}
		}
	}
	return Clause{}
}
