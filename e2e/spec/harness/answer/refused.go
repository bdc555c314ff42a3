// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// existing is what a call may find there already, so that it is refused with ALREADY_EXISTS.
type existing struct {
	// clause is the row of the call's table of errors that has ALREADY_EXISTS.
	clause string
	// keys are the names of what is created, or the paths and the node that the volume is brought to, and the volume.
	keys []string
	// volume is the volume that must be one of the run; empty for a call that creates something.
	volume string
	// says states what ALREADY_EXISTS says.
	says string
}

// existingFor returns what the call may find there; the zero value if its table of errors has no ALREADY_EXISTS.
func existingFor(request proto.Message) existing {
	// Some back ends do not tell letters by their case.
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

// Refused returns the flaw of a refusal with ALREADY_EXISTS, if the run has never asked for what exists according to it.
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
