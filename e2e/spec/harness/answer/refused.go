// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// existing describes an object, or a state of a volume, that explains ALREADY_EXISTS.
type existing struct {
	// clause is the row of the call's table of errors that has ALREADY_EXISTS.
	clause string
	// keys identify it: by the name of the object, or by the volume, and the path that it is at.
	keys []string
	// volume is the volume, which must belong to the run. It is empty for a call that creates an object.
	volume string
	// says states the meaning of ALREADY_EXISTS.
	says string
}

// existingFor returns the existing object or state for the call. It is the zero value if the call's table of errors has no
// ALREADY_EXISTS.
func existingFor(request proto.Message) existing {
	// Some back ends ignore the case of letters.
	named := func(clause, kind, name string) existing {
		return existing{clause: clause, keys: []string{kind + " " + strings.ToLower(name)}, says: fmt.Sprintf("there is a %s with the name %q", kind, name)}
	}
	brought := func(clause, volume, by, to string) existing {
		return existing{
			clause: clause, volume: volume, keys: []string{by + " " + volume, by + " to " + to},
			says: fmt.Sprintf("volume %q is already %s at %s", volume, by, to),
		}
	}
	switch of := request.(type) {
	case *csi.CreateVolumeRequest:
		return named("CREATE-02", "volume", of.GetName())
	case *csi.CreateSnapshotRequest:
		return named("CS-18", "snapshot", of.GetName())
	case *csi.CreateVolumeGroupSnapshotRequest:
		return named("VGS-18", "group snapshot", of.GetName())
	case *csi.ControllerPublishVolumeRequest:
		e := brought("CP-33", of.GetVolumeId(), "published", "node "+of.GetNodeId())
		e.keys = e.keys[:1] // other volumes are at the node
		return e
	case *csi.NodeStageVolumeRequest:
		return brought("NS-05", of.GetVolumeId(), "staged", of.GetStagingTargetPath())
	case *csi.NodePublishVolumeRequest:
		return brought("NS-25", of.GetVolumeId(), "published on a node", of.GetTargetPath())
	default:
		return existing{}
	}
}

// Refused returns a flaw if a call is refused with ALREADY_EXISTS although the run has not requested the object or state
// before.
func (j *Judge) Refused(request proto.Message, code codes.Code) []Flaw {
	e := existingFor(request)
	if code != codes.AlreadyExists || e.clause == "" {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, own := j.told.volumes[e.volume]; e.volume != "" && !own {
		return nil
	}
	for _, key := range e.keys {
		if j.told.asked[key] > 1 {
			return nil
		}
	}
	return []Flaw{{Clause: e.clause, Field: "ALREADY_EXISTS", Text: "ALREADY_EXISTS says that " + e.says + ", and this is the first call of the run for that"}}
}
