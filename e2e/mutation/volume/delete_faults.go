// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfDeletion returns drivers that delete too little, or too much.
func wrongOfDeletion() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"does not delete volumes": mutation.Wide(
			mutation.RefusingAll[*deletion](codes.Unimplemented, "this driver keeps its volumes"),
			mutation.Fails("delete_again", "CV-01")),
		"finds no volume that it has deleted": mutation.Wide(
			mutation.On(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
				if _, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()}); err != nil {
					return nil, err
				}
				return driver.DeleteVolume(ctx, r)
			}), mutation.Fails("delete_again", "DV-01")),
		"does not find volumes that it did not create": mutation.Wrong(findsCreated(),
			mutation.Fails("delete_again", "DV-02")),
		"deletes a volume that is published": mutation.Wrong(deletesPublished(), mutation.Warns("delete_published", "DV-05")),
		"refuses to delete a volume that is published when it has deleted it": mutation.Wrong(
			mutation.On(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
				response, err := driver.DeleteVolume(ctx, r)
				if err != nil {
					_, _ = driver.DeleteVolume(ctx, unpublished(ctx, driver, r))
				}
				return response, err
			}), mutation.Fails("delete_published", "DV-05")),
		"says that a volume is deleted, and keeps it": mutation.Wide(
			mutation.Instead(func(*deletion) *deleted { return &deleted{} }), mutation.Warns("delete_again", "DV-01 CV-07")),
		"takes the deletion of a volume that was made again for a repeated one": mutation.Wide(rememberingDeletions(),
			mutation.Warns("delete_made_again", "DV-01 CV-07")),
		"takes the deletion of a volume that was made again for a repeated one, and shows none": mutation.Wide(
			rememberingDeletions().And(mutation.Lacking(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_GET_VOLUME)).And(knowsAny()),
			mutation.Warns("delete_made_again", "DV-01 CV-07")),
		"deletes the volume that has the name of a deleted one when that is deleted again": mutation.Wrong(deletingByName(),
			mutation.Fails("delete_made_again", "VOL-04")),
		"gets stuck in a deletion that was given up": mutation.Wide(refusesOnceCut(codes.Internal),
			mutation.Fails("delete_cut_short", "DV-01")),
		"does not find a volume whose deletion was given up": mutation.Wide(refusesOnceCut(codes.NotFound),
			mutation.Fails("delete_cut_short", "DV-01")),
		"says that a volume is deleted whose deletion was given up": mutation.Wide(
			onceCut(func(context.Context, right, *deletion) (*deleted, error) { return &deleted{}, nil }),
			mutation.Warns("delete_cut_short", "CV-07 DV-01")),
		"deletes what a volume_id leads to as a path": mutation.Wrong(
			mutation.Asking(func(r *deletion) { r.VolumeId = path.Clean(r.GetVolumeId()) }),
			mutation.Fails("delete_by_path", "VOL-04")).Seen("csi-driver-host-path issue 644, CVE-2026-3864, CVE-2026-3865"),
		"reads of a volume_id what is as long as its own": mutation.Wide(
			mutation.Asking(func(r *deletion) { r.VolumeId = r.GetVolumeId()[:min(len(r.GetVolumeId()), lengthOfIDs)] }),
			mutation.Fails("delete_by_path", "VOL-04")),
		"removes the data that a volume_id leads to as a path": removesDataByPath(),
		"loses data when a volume is unpublished": mutation.Expect(mutation.Driver{Fault: mutation.Checking(func(r *csi.NodeUnpublishVolumeRequest) error {
			if err := mutation.RemoveFiles(r.GetTargetPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return status.Error(codes.Internal, err.Error())
			}
			return nil
		}), Only: []string{"delete_by_path"}}, mutation.Errs("delete_by_path")),
		"keeps a volume that was published": mutation.Wrong(keepsOnceRefused(), mutation.Fails("delete_published", "DV-05")),
		// Clean-up detaches a volume that is gone: its failure does not change the finding of the case.
		"deletes a volume that is published, and INTERNAL for detaching what is gone": mutation.Wrong(
			deletesPublished().And(mutation.On(func(ctx context.Context, driver right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
				if _, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()}); err != nil {
					return nil, status.Error(codes.Internal, "there is no such storage")
				}
				return driver.ControllerUnpublishVolume(ctx, r)
			})), mutation.Warns("delete_published", "DV-05")),
		"UNAVAILABLE for the deletion of a volume that is published": mutation.Wrong(
			mutation.Recoding[*deletion](codes.FailedPrecondition, codes.Unavailable),
			mutation.Fails("delete_published", "DV-05")),
	}
}

func findsCreated() mutation.Fault {
	created := map[string]bool{"": true} // no volume_id is invalid
	return mutation.AnsweringVolume(func(_ *creation, v *csi.Volume) { created[v.GetVolumeId()] = true }).
		And(mutation.RefusingSome(codes.NotFound, "there is no such volume", func(r *deletion) bool { return !created[r.GetVolumeId()] }))
}

// deletesPublished makes a driver that unpublishes a volume from its nodes to delete it.
func deletesPublished() mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
		return driver.DeleteVolume(ctx, unpublished(ctx, driver, r))
	})
}

// rememberingDeletions makes a driver that remembers the names of deleted volumes, like csi-driver-nfs for ten minutes, and
// mistakes each later deletion of a volume of the same name for a repeated one.
func rememberingDeletions() mutation.Fault {
	names, gone := map[string]string{}, map[string]bool{}
	return mutation.AnsweringVolume(func(r *creation, v *csi.Volume) {
		names[v.GetVolumeId()] = r.GetName()
	}).And(mutation.On(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
		name := names[r.GetVolumeId()]
		if name != "" && gone[name] {
			return &deleted{}, nil
		}
		response, err := driver.DeleteVolume(ctx, r)
		gone[name] = gone[name] || err == nil
		return response, err
	}))
}

// deletingByName makes a driver that keeps the name of every volume that it ever had, and deletes the latest volume of the
// name.
func deletingByName() mutation.Fault {
	names, latest := map[string]string{}, map[string]string{}
	return mutation.AnsweringVolume(func(r *creation, v *csi.Volume) {
		names[v.GetVolumeId()], latest[r.GetName()] = r.GetName(), v.GetVolumeId()
	}).And(mutation.Asking(func(r *deletion) {
		if name, found := names[r.GetVolumeId()]; found {
			r.VolumeId = latest[name]
		}
	}))
}

// knowsAny makes a driver whose ValidateVolumeCapabilities does not check whether the volume exists.
func knowsAny() mutation.Fault {
	return mutation.Instead(func(r *question) *confirmed {
		return &confirmed{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{
			VolumeContext: r.GetVolumeContext(), VolumeCapabilities: r.GetVolumeCapabilities(), Parameters: r.GetParameters(),
		}}
	})
}

// onceCut makes a driver that does not complete the first deletion of a volume, and handles later ones with handle.
func onceCut(handle func(ctx context.Context, driver right, r *deletion) (*deleted, error)) mutation.Fault {
	cut := map[string]bool{}
	return mutation.On(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
		if !cut[r.GetVolumeId()] {
			cut[r.GetVolumeId()] = true
			<-ctx.Done()
			return nil, status.FromContextError(ctx.Err()).Err()
		}
		return handle(ctx, driver, r)
	})
}

// refusesOnceCut makes a driver that refuses to delete a volume whose deletion was given up, until the clean-up repeats it.
func refusesOnceCut(code codes.Code) mutation.Fault {
	const long = 300 * time.Millisecond // longer than a case waits for another answer
	first := map[string]time.Time{}
	return onceCut(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
		since, found := first[r.GetVolumeId()]
		if !found {
			since = time.Now()
			first[r.GetVolumeId()] = since
		}
		if time.Since(since) < long {
			return nil, status.Error(code, "the deletion was given up")
		}
		return driver.DeleteVolume(ctx, r)
	})
}

// keepsOnceRefused makes a driver that keeps refusing to delete a volume that it has refused to delete once, for longer
// than the release of a volume may take.
func keepsOnceRefused() mutation.Fault {
	const long = 200 * time.Millisecond
	refused := map[string]time.Time{}
	return mutation.On(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
		if since, found := refused[r.GetVolumeId()]; found && time.Since(since) < long {
			return nil, status.Error(codes.FailedPrecondition, "the volume is in use")
		}
		response, err := driver.DeleteVolume(ctx, r)
		if status.Code(err) == codes.FailedPrecondition {
			refused[r.GetVolumeId()] = time.Now()
		}
		return response, err
	}).Serially()
}

// unpublished unpublishes the volume of a deletion from every node.
func unpublished(ctx context.Context, driver right, r *deletion) *deletion {
	_, _ = driver.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: r.GetVolumeId()})
	return r
}

// lengthOfIDs is the length of the reference driver's ids: the kind of a volume, and a UUID.
const lengthOfIDs = len("memory-00000000-0000-0000-0000-000000000000")

func removesDataByPath() mutation.Expectation {
	var volumes string // the directory with the data of all
	removing := mutation.Wrong(mutation.Checking(func(r *deletion) error {
		if err := os.RemoveAll(filepath.Join(volumes, r.GetVolumeId())); err != nil {
			return status.Error(codes.Internal, err.Error())
		}
		return nil
	}), mutation.Fails("delete_by_path", "VOL-04"))
	removing.Options = func(o *embedded.Options) { volumes = filepath.Join(o.Dir, "data", "volumes") }
	removing.Only = []string{"delete_by_path"}
	return removing
}
