package volume_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// wrongOfDeletion are drivers that delete too little, or too much.
func wrongOfDeletion() map[string]spectest.Expectation {
	return map[string]spectest.Expectation{
		"does not delete volumes": wrong(
			deletingOf("delete_again", func(context.Context, right, *deletion) (*deleted, error) {
				return nil, status.Error(codes.Unimplemented, "this driver keeps its volumes")
			}),
			spectest.Fails("delete_again", "DeleteVolume is implemented where CREATE_DELETE_VOLUME is claimed (CV-01)")),
		"finds no volume that it has deleted": wrong(
			deleting(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
				if _, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()}); err != nil {
					return nil, err
				}
				return driver.DeleteVolume(ctx, r)
			}),
			spectest.Fails("delete_again", "DeleteVolume is idempotent (DV-01)")),
		"finds no volume that it has not made": wrong(
			deleting(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
				if r.GetVolumeId() == "csi-topo-no-such-volume" {
					return nil, status.Error(codes.NotFound, "there is no such volume")
				}
				return driver.DeleteVolume(ctx, r)
			}),
			spectest.Fails("delete_again", "a volume that does not exist is OK (DV-02)")),
		"deletes a volume that is published": wrong(
			deleting(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
				return driver.DeleteVolume(ctx, unpublished(ctx, driver, r))
			}),
			spectest.Fails("delete_published", "a volume in use is FAILED_PRECONDITION (DV-05)")),
		"refuses to delete a volume that is published when it has deleted it": wrong(
			deleting(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
				response, err := driver.DeleteVolume(ctx, r)
				if err != nil {
					_, _ = driver.DeleteVolume(ctx, unpublished(ctx, driver, r))
				}
				return response, err
			}),
			spectest.Fails("delete_published", "a volume whose deletion was refused is there (DV-05)")),
		"keeps a volume that was published": wrong(
			keepsOnceRefused(),
			spectest.Fails("delete_published", "nothing that DeleteVolume fails for is left (DV-05)\ngot: FAILED_PRECONDITION")),
	}
}

// deletingOf makes a driver with another DeleteVolume for the volumes of one case, because it would spoil all others.
func deletingOf(caseID string, handle func(ctx context.Context, driver right, r *deletion) (*deleted, error)) spectest.Fault {
	concerned := map[string]bool{}
	return answering(func(r *creation, v *csi.Volume) {
		concerned[v.GetVolumeId()] = by(caseID, r)
	}).And(deleting(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
		if concerned[r.GetVolumeId()] {
			return handle(ctx, driver, r)
		}
		return driver.DeleteVolume(ctx, r)
	}))
}

// keepsOnceRefused makes a driver that once more refuses to delete what it has refused to delete.
func keepsOnceRefused() spectest.Fault {
	refused := map[string]error{}
	return deleting(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
		if err := refused[r.GetVolumeId()]; err != nil {
			delete(refused, r.GetVolumeId())
			return nil, err
		}
		response, err := driver.DeleteVolume(ctx, r)
		refused[r.GetVolumeId()] = err
		return response, err
	})
}

// unpublished unpublishes the volume that is to be deleted from every node.
func unpublished(ctx context.Context, driver right, r *deletion) *deletion {
	_, _ = driver.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: r.GetVolumeId()})
	return r
}
