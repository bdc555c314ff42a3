package spec

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// enter notes a volume that is to be deleted after the case.
func (d *driver) enter(volumeID string) {
	gomega.Expect(volumeID).NotTo(gomega.BeEmpty(), "CreateVolume answered OK without a volume_id (VOL-03)")
	if !slices.Contains(d.ledger, volumeID) {
		d.ledger = append(d.ledger, volumeID)
	}
}

// giveBack deletes every volume of the ledger, the newest first. A volume that cannot be deleted is the harness's error:
// the cases after it could not be trusted.
func (d *driver) giveBack(ctx context.Context) {
	var failures []error
	for _, id := range slices.Backward(d.ledger) {
		if err := d.deleteVolume(ctx, id); err != nil {
			failures = append(failures, err)
		}
	}
	d.ledger = nil
	if err := errors.Join(failures...); err != nil {
		verdict.CouldNotTell("volumes of the case are left in the driver: %v", err)
	}
}

func (d *driver) deleteVolume(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, d.target.Timeouts.Provision)
	defer cancel()
	if _, err := d.controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
		return fmt.Errorf("deleting volume %s: %w", id, err)
	}
	return nil
}
