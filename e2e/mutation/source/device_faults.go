// SPDX-License-Identifier: Apache-2.0

package source

import (
	"errors"
	"os"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

const (
	deviceData   = "restore_device_data clone_device_data"
	besideSource = "restore_beside_source clone_beside_source"
)

func restoringTheFirst() mutation.Fault {
	var firsts, snapshots sync.Map // the first snapshot of a volume, and of the volume of a snapshot
	return hiding(func(r *createRequest) {
		first, found := snapshots.Load(r.GetVolumeContentSource().GetSnapshot().GetSnapshotId())
		if found && r.GetVolumeCapabilities()[0].GetBlock() != nil {
			r.VolumeContentSource = messages.FromSnapshot(first.(string))
		}
	}).And(answeringSnapshot(func(r *snapshotRequest, s *csi.Snapshot) {
		first, _ := firsts.LoadOrStore(r.GetSourceVolumeId(), s.GetSnapshotId())
		snapshots.Store(s.GetSnapshotId(), first)
	}))
}

func copyingFirstSize() mutation.Fault {
	var copies sync.Map
	return answering(func(_ *createRequest, v *csi.Volume) { copies.Store(v.GetVolumeId(), true) }).
		And(mutation.OnOK(func(r *csi.NodePublishVolumeRequest) {
			if _, copied := copies.Load(r.GetVolumeId()); !copied || r.GetVolumeCapability().GetBlock() == nil {
				return
			}
			if info, err := os.Stat(r.GetTargetPath()); err == nil && info.Size() > size {
				_ = errors.Join(os.Truncate(r.GetTargetPath(), size), os.Truncate(r.GetTargetPath(), info.Size()))
			}
		}))
}

func mountingSource() mutation.Fault {
	var sources, published sync.Map // the source of a copy, where a volume is
	return notingSources(&sources).And(mutation.OnOK(func(r *csi.NodeUnpublishVolumeRequest) {
		published.Delete(r.GetVolumeId())
	})).And(mutation.OnOK(func(r *csi.NodePublishVolumeRequest) {
		published.Store(r.GetVolumeId(), r.GetTargetPath())
		source, _ := sources.Load(r.GetVolumeId())
		if path, found := published.Load(source); found {
			mutation.WriteFiles(r.GetTargetPath(), mutation.ReadFiles(path.(string)))
		}
	}))
}

func copyingWholeMiB() mutation.Fault {
	const mib = 1 << 20
	var sizes, ends sync.Map // of volumes and snapshots, and the bytes that copies have from their sources
	return mutation.AnsweringVolume(func(r *createRequest, v *csi.Volume) {
		sizes.Store(v.GetVolumeId(), v.GetCapacityBytes())
		if bytes, found := sizes.Load(sourceID(r)); found {
			ends.LoadOrStore(v.GetVolumeId(), bytes)
		}
	}).And(answeringSnapshot(func(_ *snapshotRequest, s *csi.Snapshot) {
		sizes.Store(s.GetSnapshotId(), s.GetSizeBytes())
	})).And(mutation.Answering(func(r *csi.ControllerExpandVolumeRequest, response *csi.ControllerExpandVolumeResponse) {
		sizes.Store(r.GetVolumeId(), response.GetCapacityBytes())
	})).And(mutation.OnOK(func(r *csi.NodePublishVolumeRequest) {
		end, copied := ends.LoadAndDelete(r.GetVolumeId())
		if !copied || r.GetVolumeCapability().GetBlock() == nil {
			return
		}
		if device, err := os.OpenFile(r.GetTargetPath(), os.O_WRONLY, 0); err == nil {
			bytes := end.(int64)
			_, err := device.WriteAt(make([]byte, bytes%mib), bytes-bytes%mib)
			_ = errors.Join(err, device.Close())
		}
	}))
}
