package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// listVolumes returns all volumes, in pages if max_entries is given. A token is
// the id of the last volume of the page before, so that it stays good, and no
// volume is passed over, whatever is created and deleted meanwhile. It answers
// ABORTED for a token that is none of ours.
func (c *controller) listVolumes(_ context.Context, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	if r.GetMaxEntries() < 0 {
		return nil, status.Errorf(codes.InvalidArgument, "max_entries must not be negative, got %d", r.GetMaxEntries())
	}
	after := r.GetStartingToken()
	if after != "" && !isOurID(after) {
		return nil, status.Errorf(codes.Aborted, "starting_token %.140q is not one that ListVolumes returned: start again without one", after)
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

// isOurID tells whether the id has the form of those that the driver gives.
func isOurID(id string) bool {
	parsed, err := uuid.Parse(id)
	return err == nil && parsed.String() == id
}
