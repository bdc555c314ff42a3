// SPDX-License-Identifier: Apache-2.0

package service

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/kubernetes-csi/csi-lib-utils/protosanitizer"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// loggable returns a request or response as one line of JSON, without secrets and without mount flags, which may be
// secret too (CSI spec, MountVolume.mount_flags).
func loggable(message any) string {
	if m, ok := message.(proto.Message); ok {
		m = proto.Clone(m)
		// It fails only if the function fails.
		_ = protorange.Range(m.ProtoReflect(), func(at protopath.Values) error {
			if found, ok := at.Index(-1).Value.Interface().(protoreflect.Message); ok {
				if mount, ok := found.Interface().(*csi.VolumeCapability_MountVolume); ok {
					mount.MountFlags = nil
				}
			}
			return nil
		})
		message = m
	}
	return protosanitizer.StripSecrets(message).String()
}
