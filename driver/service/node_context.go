// SPDX-License-Identifier: Apache-2.0

package service

import (
	"maps"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// inlineContext is the key in volume_context that Kubernetes sets for an inline
// ephemeral volume.
const inlineContext = "csi.storage.k8s.io/ephemeral"

// refuseInline returns INVALID_ARGUMENT for an inline ephemeral volume: its segment was never chosen, nor its room
// reserved.
func refuseInline(volumeContext map[string]string) error {
	if volumeContext[inlineContext] != "true" {
		return nil
	}
	return status.Error(codes.InvalidArgument, "this driver has no inline ephemeral volumes, which are placed without regard to topology and capacity: "+
		"use a generic ephemeral volume instead (ephemeral.volumeClaimTemplate in the pod), which is provisioned like any other")
}

// checkContexts reports whether the controller published the volume read-only. It returns FAILED_PRECONDITION if the
// controller published the volume to another node, and INVALID_ARGUMENT for keys that neither the controller nor
// Kubernetes sets: unknown keys are not ignored. Without a controller that publishes, no key names a node.
func (n *Node) checkContexts(publishContext, volumeContext map[string]string) (readOnly bool, err error) {
	for _, key := range slices.Sorted(maps.Keys(publishContext)) {
		value := publishContext[key]
		switch {
		case key == nodeContext && value != n.id:
			return false, status.Errorf(codes.FailedPrecondition, "publish_context[%q] says that the volume was published to node %.256q, and this is node %q: publish it to this one first", key, value, n.id)
		case key == nodeContext:
		case key != readOnlyContext:
			return false, status.Errorf(codes.InvalidArgument, "publish_context has the key %.128q, which ControllerPublishVolume of this driver never returns: pass on what it returned", key)
		case value != "true":
			return false, status.Errorf(codes.InvalidArgument, "publish_context[%q] must be %q or absent, got %.128q", key, "true", value)
		default:
			readOnly = true
		}
	}
	return readOnly, checkVolumeContext(volumeContext)
}

// checkVolumeContext returns INVALID_ARGUMENT for keys that Kubernetes does not add to volume_context, which this driver
// leaves empty.
func checkVolumeContext(volumeContext map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(volumeContext)) {
		if !isAddedByKubernetes(key) {
			return status.Errorf(codes.InvalidArgument, "volume_context has the key %.128q, which CreateVolume of this driver never returns: pass on what it returned", key)
		}
	}
	return nil
}

// isAddedByKubernetes reports whether the key in volume_context is one that the external-provisioner or the kubelet adds
// to the context from CreateVolume.
func isAddedByKubernetes(key string) bool {
	return strings.HasPrefix(key, "storage.kubernetes.io/") || strings.HasPrefix(key, "csi.storage.k8s.io/")
}
