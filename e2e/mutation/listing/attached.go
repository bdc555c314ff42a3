// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// attachedOnly returns drivers that only list attached volumes, like vsphere-csi-driver.
func attachedOnly() map[string]mutation.Expectation {
	listsAttached := func(also func(*listEntry)) mutation.Fault {
		return mutation.Answering(func(_ *listRequest, response *listResponse) {
			response.Entries = slices.DeleteFunc(response.GetEntries(), func(e *listEntry) bool { return len(e.GetStatus().GetPublishedNodeIds()) == 0 })
			for _, entry := range response.Entries {
				also(entry)
			}
		})
	}
	return map[string]mutation.Expectation{
		"lists attached volumes only": mutation.Wide(listsAttached(func(*listEntry) {}),
			mutation.Fails("list_volumes_has_each_once list_volumes_capacity", "LV-01"),
			mutation.Skips("list_volumes_max_entries", suite.ByEnvironment),
			mutation.Passes("list_volumes_published_nodes")).Seen("vsphere-csi-driver bf8090256"),
		"lists attached volumes only, and not where": mutation.Wide(listsAttached(func(e *listEntry) { e.Status = nil }),
			mutation.Fails("list_volumes_published_nodes", "LV-10")),
		"an empty id for the node of a volume that is on none": mutation.Wrong(mutation.ListingEntries(func(e *listEntry) {
			if len(e.GetStatus().GetPublishedNodeIds()) == 0 {
				e.Status.PublishedNodeIds = []string{""}
			}
		}), mutation.Warns("list_volumes_published_nodes", "LV-07")),
		"an empty id for the node of a volume that is on none, in ControllerGetVolume": mutation.Wrong(
			mutation.Answering(func(_ *getRequest, response *getResponse) {
				if len(response.GetStatus().GetPublishedNodeIds()) == 0 {
					response.Status.PublishedNodeIds = []string{""}
				}
			}), mutation.Warns("get_volume_published_nodes", "LV-14")),
	}
}
