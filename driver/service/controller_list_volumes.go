// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// listVolumes returns all volumes, in pages if max_entries is given; see
// checkPage for tokens.
func (c *controller) listVolumes(_ context.Context, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	after, err := checkPage(r.GetMaxEntries(), r.GetStartingToken())
	if err != nil {
		return nil, err
	}
	page, more, err := c.store.Page(after, int(r.GetMaxEntries()), acknowledged)
	if err != nil {
		return nil, failure(err)
	}
	response := &csi.ListVolumesResponse{}
	for _, entry := range page {
		response.Entries = append(response.Entries, &csi.ListVolumesResponse_Entry{
			Volume: answer(entry.Volume),
			Status: &csi.ListVolumesResponse_VolumeStatus{PublishedNodeIds: entry.Nodes},
		})
	}
	if more {
		response.NextToken = page[len(page)-1].ID
	}
	return response, nil
}
