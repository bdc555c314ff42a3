// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// getVolumeHealth returns the problems of a volume on disk, an empty list if there are none, or NOT_FOUND.
func (c *controller) getVolumeHealth(ctx context.Context, r *csi.ControllerGetVolumeHealthRequest) (*csi.ControllerGetVolumeHealthResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	v, err := c.findVolume(r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	problems, err := c.problemsOf(ctx, v)
	if err != nil {
		return nil, failure(err)
	}
	return &csi.ControllerGetVolumeHealthResponse{VolumeHealth: healthOf(v.ID, problems)}, nil
}

// listVolumeHealth returns the volumes that have problems, and pages as listVolumes
// does.
func (c *controller) listVolumeHealth(ctx context.Context, r *csi.ControllerListVolumeHealthRequest) (*csi.ControllerListVolumeHealthResponse, error) {
	after, err := checkPage(r.GetMaxEntries(), r.GetStartingToken())
	if err != nil {
		return nil, err
	}
	response := &csi.ControllerListVolumeHealthResponse{}
	for more := true; more; {
		var page []record.Entry
		if page, more, err = c.store.Page(after, healthPage, acknowledged); err != nil {
			return nil, failure(err)
		}
		for _, entry := range page {
			after = entry.ID
			problems, err := c.problemsOf(ctx, entry.Volume)
			if err != nil {
				return nil, failure(err)
			}
			if len(problems) == 0 {
				continue
			}
			if limit := int(r.GetMaxEntries()); limit > 0 && len(response.GetEntries()) == limit {
				response.NextToken = response.GetEntries()[limit-1].GetVolumeId()
				return response, nil
			}
			response.Entries = append(response.Entries, healthOf(entry.ID, problems))
		}
	}
	return response, nil
}

// healthPage is the number of records that are read at once: no transaction stays open
// while disks are checked.
const healthPage = 100

// problemsOf returns the problems of a volume: none if it is being deleted, even if the deletion began after the call.
func (c *controller) problemsOf(ctx context.Context, v record.Volume) ([]volume.Problem, error) {
	problems, err := c.volumes.Check(ctx, v.ID, sizeOf(v))
	if err != nil || len(problems) == 0 {
		return nil, err
	}
	now, err := c.store.Volume(v.ID)
	if errors.Is(err, record.ErrNotFound) || (err == nil && now.State == record.Deleting) {
		return nil, nil
	}
	return problems, err
}

// healthOf returns a volume's problems as the CO sees them, with each field shortened to its maximum size (GEN-04).
func healthOf(id string, problems []volume.Problem) *csi.VolumeHealth {
	health := &csi.VolumeHealth{VolumeId: id}
	for _, problem := range problems {
		health.HealthStatuses = append(health.HealthStatuses, &csi.VolumeHealth_VolumeHealthEntry{
			Status:  healthStatus(problem.Severity),
			Reason:  problem.Reason,
			Message: shortened(problem.Message, stringLimit),
		})
	}
	return health
}

func healthStatus(s volume.Severity) csi.VolumeHealthErrorType {
	switch s {
	case volume.Degraded:
		return csi.VolumeHealthErrorType_DEGRADED
	case volume.Inaccessible:
		return csi.VolumeHealthErrorType_INACCESSIBLE
	case volume.DataLoss:
		return csi.VolumeHealthErrorType_DATA_LOSS
	default:
		return csi.VolumeHealthErrorType_UNKNOWN_VOLUME_HEALTH_TYPE
	}
}
