// SPDX-License-Identifier: Apache-2.0

package deployed

import (
	"encoding/json"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// source returns drivers that are wrong about volumes with the data of others.
func source() []Driver {
	return []Driver{
		{
			ID: "copies_nothing", Text: "creates an empty volume where it should copy a source, and says that it copied",
			Rules: controller(rule("CreateVolume", func(r *trace.Rule) {
				r.Match = json.RawMessage(`{"volume_content_source": {}}`)
				r.PatchRequest = json.RawMessage(`{"volume_content_source": null}`)
				r.Patch = json.RawMessage(`{"volume": {"content_source": {"volume": {"volume_id": "copied"}}}}`)
			})),
			Clauses: "CS-02 VS-02 CV-18 TR-01 K8S-N1 CS-01 K8S-N2 K8S-B20 CREATE-08 CREATE-04 TR-04 DV-05 DV-03",
			Caught: []string{"copy_in_zone_clone", "copy_in_zone_restore", "copy_elsewhere_clone", "copy_elsewhere_restore",
				"clone_source_deleted", "snapshot_outlives_volume"},
		},
		{
			ID: "copies_where_the_source_is", Text: "never reads accessibility_requirements of a volume that it copies",
			Rules: controller(rule("CreateVolume", func(r *trace.Rule) {
				r.Match = json.RawMessage(`{"volume_content_source": {}}`)
				r.PatchRequest = json.RawMessage(`{"accessibility_requirements": null}`)
			})),
			Clauses: "K8S-B20 CREATE-08 CREATE-04 TR-04", Caught: []string{"copy_elsewhere_clone", "copy_elsewhere_restore"},
		},
		{
			ID: "out_of_reach_is_internal", Text: "answers INTERNAL where a source cannot be reached",
			Rules: controller(rule("CreateVolume", func(r *trace.Rule) {
				r.Match = json.RawMessage(`{"volume_content_source": {}}`)
				r.Code, r.Message = "INTERNAL", "said by a wrong driver"
			})),
			Clauses: "K8S-B20 CREATE-08 CREATE-04 TR-04", Caught: []string{"copy_elsewhere_clone", "copy_elsewhere_restore"},
		},
		{
			ID: "loses_snapshots", Text: "answers NOT_FOUND where a snapshot that it lists is to be restored",
			Rules: controller(rule("CreateVolume", func(r *trace.Rule) {
				r.Match = json.RawMessage(`{"volume_content_source": {"snapshot": {}}}`)
				r.Code, r.Message = "NOT_FOUND", "said by a wrong driver"
			})),
			Clauses: "CS-01 VS-02 CV-18 TR-01 K8S-N2 K8S-B20 CREATE-08 CREATE-04 TR-04 DV-03",
			Caught:  []string{"copy_in_zone_restore", "snapshot_outlives_volume"},
		},
		{ID: "keeps_snapshots", Text: "answers OK to DeleteSnapshot, and deletes nothing",
			Rules: controller(instead("DeleteSnapshot", `{}`)), Clauses: "LS-01 K8S-N3",
			Caught: []string{"snapshot_deleted", "snapshot_deleted_while_created", "snapshot_deleted_while_created_lost"}},
	}
}
