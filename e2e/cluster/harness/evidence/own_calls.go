// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// about holds the fields of requests and answers that identify volumes and snapshots.
type about struct {
	Name           string `json:"name"`
	VolumeID       string `json:"volume_id"`
	SourceVolumeID string `json:"source_volume_id"`
	SnapshotID     string `json:"snapshot_id"`
	Volume         struct {
		ID string `json:"volume_id"`
	} `json:"volume"`
	Snapshot struct {
		ID string `json:"snapshot_id"`
	} `json:"snapshot"`
}

// OwnCalls returns the calls about volumes with these names, or with names that begin with the case's namespace, and about
// their snapshots, without calls of other cases. The given calls must be in chronological order.
func OwnCalls(calls []trace.Call, names []string, namespace string) []trace.Call {
	own := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool {
		var asked, answered about
		if json.Unmarshal(call.Request, &asked) != nil {
			return true
		}
		named := path.Base(call.Method) == "CreateVolume" && (slices.Contains(names, asked.Name) || strings.HasPrefix(asked.Name, namespace+"-"))
		if !named && !own[asked.VolumeID] && !own[asked.SourceVolumeID] && !own[asked.SnapshotID] {
			return true
		}
		if json.Unmarshal(call.Response, &answered) == nil {
			for _, id := range []string{answered.Volume.ID, answered.Snapshot.ID} {
				if id != "" {
					own[id] = true
				}
			}
		}
		return false
	})
}
