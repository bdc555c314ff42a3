// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const readerOnly = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY

// wrongOfCapabilities returns drivers that handle volume_capabilities wrongly.
func wrongOfCapabilities() map[string]mutation.Expectation {
	isDevice := func(c *csi.VolumeCapability) bool { return c.GetBlock() != nil }
	return map[string]mutation.Expectation{
		"confirms devices, and creates none": mutation.Wide(
			mutation.RefusingSome(codes.InvalidArgument, "volumes have file systems", func(r *csi.CreateVolumeRequest) bool {
				return slices.ContainsFunc(r.GetVolumeCapabilities(), isDevice)
			}).And(mutation.Answering(func(r *question, response *confirmed) {
				if slices.ContainsFunc(r.GetVolumeCapabilities(), isDevice) {
					response.Confirmed = &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: r.GetVolumeCapabilities()}
				}
			})),
			mutation.Fails("capabilities_access_type", "VV-01"), mutation.Passes("capabilities_each_mode volume_created")).Seen("civo-csi 37312dc"),
		"has one capability of several": mutation.Wrong(
			unconfirming(func(r *question) bool { return len(r.GetVolumeCapabilities()) > 1 }),
			mutation.Warns("capabilities_all_held", "CV-12")),
		"takes a mode that it does not have": mutation.Wrong(
			unconfirming(func(r *question) bool { return hasMode(r.GetVolumeCapabilities(), readerOnly) }),
			mutation.Warns("capabilities_all_held capabilities_each_mode", "CV-12")),
		"publishes to writers only": mutation.Wrong(
			mutation.RefusingSome(codes.FailedPrecondition, "this driver has writers only", func(r *publication) bool {
				return r.GetVolumeCapability().GetAccessMode().GetMode() == readerOnly
			}), mutation.Fails("capabilities_any_used", "CV-14")),
		"makes a volume for the access type of the first capability": mutation.Wide(forFirstType(),
			mutation.Fails("capabilities_any_used", "CV-14")),
		"looks at the first capability only": mutation.Wrong(mutation.Asking(func(r *creation) {
			r.VolumeCapabilities = r.GetVolumeCapabilities()[:min(1, len(r.GetVolumeCapabilities()))]
		}), mutation.Fails("capabilities_one_unsupported", "CV-16")),
		"takes any capability for a file system that one node writes": mutation.Wide(mutation.Asking(func(r *creation) {
			for _, capability := range r.GetVolumeCapabilities() {
				capability.AccessMode.Mode = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
				capability.AccessType = &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}}
			}
		}), mutation.Warns("capabilities_one_unsupported", "CV-16")),
		"does not publish for readers on the node": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "this node has writers only", func(r *csi.NodePublishVolumeRequest) bool {
				return r.GetVolumeCapability().GetAccessMode().GetMode() == readerOnly
			}), mutation.Fails("capabilities_any_used", "CV-14")),
		"publishes on other nodes with the access mode of the first node only": mutation.Wrong(keepsFirst(func(c *csi.VolumeCapability) string { return c.GetAccessMode().GetMode().String() }),
			mutation.Fails("capabilities_any_used", "CV-14")),
		"publishes on other nodes with the access type of the first node only": mutation.Wrong(keepsFirst(func(c *csi.VolumeCapability) string { return fmt.Sprintf("%T", c.GetAccessType()) }),
			mutation.Fails("capabilities_any_used", "CV-14")),
		"confirms whatever it is asked": mutation.Wide(mutation.Answering(func(r *question, response *confirmed) {
			response.Confirmed = &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: r.GetVolumeCapabilities()}
		}), mutation.Fails("capabilities_file_system", "VV-01")),
		"takes any file system": mutation.Wrong(mutation.Asking(func(r *creation) {
			for _, capability := range r.GetVolumeCapabilities() {
				if capability.GetMount() != nil {
					capability.GetMount().FsType = ""
				}
			}
		}), mutation.Warns("capabilities_file_system", "CV-12")),
		"has one of the new access modes only": mutation.Wide(
			mutation.RefusingSome(codes.InvalidArgument, "this driver counts no writers", func(r *creation) bool {
				return hasMode(r.GetVolumeCapabilities(), csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER)
			}), mutation.Passes("capabilities_older_mode")),
		"takes the new access modes only": mutation.Wide(
			mutation.RefusingSome(codes.InvalidArgument, unable, func(r *creation) bool {
				return hasMode(r.GetVolumeCapabilities(), csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER)
			}), mutation.Fails("capabilities_older_mode", "CV-26")),
		"answers a mode that it does not have with INTERNAL": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, unable, func(r *creation) bool { return hasMode(r.GetVolumeCapabilities(), readerOnly) }),
			mutation.Fails("capabilities_all_held", "CV-13"), mutation.Fails("capabilities_each_mode", "CV-16"),
			mutation.Errs("capabilities_any_used")),
		"has no volumes of two modes": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, unable, func(r *creation) bool { return hasMode(r.GetVolumeCapabilities(), readerOnly) }),
			mutation.Passes("capabilities_all_held capabilities_each_mode capabilities_any_used")),
	}
}

// keepsFirst makes a driver that remembers the first publication of a volume, and refuses a different one on other nodes.
func keepsFirst(of func(*csi.VolumeCapability) string) mutation.Fault {
	type first struct{ node, how string }
	var known sync.Map
	return mutation.On(func(ctx context.Context, driver right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		node, err := driver.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
		if err != nil {
			return nil, err
		}
		here := first{node.GetNodeId(), of(r.GetVolumeCapability())}
		if before, published := known.Load(r.GetVolumeId()); published && before.(first).node != here.node && before.(first).how != here.how {
			return nil, status.Error(codes.AlreadyExists, "the volume is published in another way")
		}
		response, err := driver.NodePublishVolume(ctx, r)
		if err == nil {
			known.LoadOrStore(r.GetVolumeId(), here)
		}
		return response, err
	})
}

func forFirstType() mutation.Fault {
	var blocks sync.Map
	return mutation.AnsweringVolume(func(r *creation, v *csi.Volume) {
		if len(r.GetVolumeCapabilities()) > 1 {
			blocks.Store(v.GetVolumeId(), r.GetVolumeCapabilities()[0].GetBlock() != nil)
		}
	}).And(mutation.On(func(ctx context.Context, driver right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		if block, known := blocks.Load(r.GetVolumeId()); known && block != (r.GetVolumeCapability().GetBlock() != nil) {
			return nil, status.Error(codes.InvalidArgument, "the volume has another access type")
		}
		return driver.ControllerPublishVolume(ctx, r)
	}))
}
