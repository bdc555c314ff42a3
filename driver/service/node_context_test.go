// SPDX-License-Identifier: Apache-2.0

package service

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/volume"
)

func TestNodeContexts(t *testing.T) {
	for _, test := range []struct {
		name            string
		publish, volume map[string]string
		want            codes.Code
		readOnly        bool
		why             string
	}{
		{name: "none", want: codes.OK},
		{name: "read-only", publish: map[string]string{readOnlyContext: "true"}, want: codes.OK, readOnly: true},
		{name: "read-only, put otherwise", publish: map[string]string{readOnlyContext: "yes"}, want: codes.InvalidArgument, why: "yes"},
		{name: "not read-only, put explicitly", publish: map[string]string{readOnlyContext: "false"}, want: codes.InvalidArgument, why: "false"},
		{name: "for this node", publish: map[string]string{nodeContext: "n"}, want: codes.OK},
		{name: "for this node, read-only", publish: map[string]string{nodeContext: "n", readOnlyContext: "true"}, want: codes.OK, readOnly: true},
		{name: "for another node", publish: map[string]string{nodeContext: "n2"}, want: codes.FailedPrecondition, why: `"n2"`},
		{name: "for no node", publish: map[string]string{nodeContext: ""}, want: codes.FailedPrecondition, why: `""`},
		{name: "of another driver", publish: map[string]string{"device": "/dev/mock"}, want: codes.InvalidArgument, why: "device"},
		{name: "of another driver, like ours", publish: map[string]string{"readOnly": "true"}, want: codes.InvalidArgument, why: "readOnly"},
		{name: "of another driver, and long", publish: map[string]string{strings.Repeat("k", 4<<10): "true"}, want: codes.InvalidArgument, why: "kkk"},
		{name: "ours and another", publish: map[string]string{readOnlyContext: "true", "device": "/dev/mock"}, want: codes.InvalidArgument, why: "device"},
		{name: "of the external-provisioner", volume: map[string]string{"storage.kubernetes.io/csiProvisionerIdentity": "1-hostpath"}, want: codes.OK},
		{name: "of the kubelet", volume: map[string]string{"csi.storage.k8s.io/pod.name": "p", inlineContext: "false"}, want: codes.OK},
		{name: "of somebody", volume: map[string]string{"size": "1Gi"}, want: codes.InvalidArgument, why: "size"},
		{name: "of somebody, like ours", volume: map[string]string{"xstorage.kubernetes.io/": "x"}, want: codes.InvalidArgument, why: "xstorage"},
		{name: "long", volume: map[string]string{strings.Repeat("k", 4<<10): "v"}, want: codes.InvalidArgument, why: "kkk"},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := newTestNode(t)
			seen := &seeing{Volumes: node.volumes}
			node.start(NodeConfig{Volumes: seen})
			_, err := node.NodeStageVolume(t.Context(), &csi.NodeStageVolumeRequest{
				VolumeId: node.id, StagingTargetPath: node.staging, VolumeCapability: mounted(modeWriter),
				PublishContext: test.publish, VolumeContext: test.volume,
			})
			wantReason(t, err, test.want, test.why)
			if err != nil {
				node.done(node.stage(mounted(modeWriter)))
			}
			request := node.publication("a", mounted(modeWriter))
			request.PublishContext, request.VolumeContext = test.publish, test.volume
			_, err = node.NodePublishVolume(t.Context(), request)
			wantReason(t, err, test.want, test.why)
			if seen.staged.ReadOnly != test.readOnly || seen.published.ReadOnly != test.readOnly {
				t.Errorf("staged read-only: %t, published read-only: %t, want %t", seen.staged.ReadOnly, seen.published.ReadOnly, test.readOnly)
			}
			if length := len(status.Convert(err).Message()); length > 1<<10 {
				t.Errorf("the message has %d bytes", length)
			}
		})
	}
}

// TestNodeRefusesInlineVolumes checks that an inline volume of a pod is refused, as the kubelet requests it and in
// variations.
func TestNodeRefusesInlineVolumes(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeWriter)))
	ours := node.publication("b", mounted(modeWriter))
	for _, test := range []struct {
		name  string
		given *csi.NodePublishVolumeRequest
	}{
		{"as the kubelet does", &csi.NodePublishVolumeRequest{VolumeId: "csi-0123456789abcdef", TargetPath: node.target("a"), VolumeCapability: mounted(modeWriter)}},
		{"with a capability that no volume has", &csi.NodePublishVolumeRequest{VolumeId: "csi-0123456789abcdef", TargetPath: node.target("a"), VolumeCapability: formatted(modeWriter, "ntfs")}},
		{"with a volume of ours", ours},
		{"with nothing else", &csi.NodePublishVolumeRequest{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.given.VolumeContext = map[string]string{inlineContext: "true", "csi.storage.k8s.io/pod.name": "p", "size": "1Gi"}
			_, err := node.NodePublishVolume(t.Context(), test.given)
			wantReason(t, err, codes.InvalidArgument, "volumeClaimTemplate")
		})
	}
	// The kubelet unpublishes a volume that it could not publish.
	_, err := node.NodeUnpublishVolume(t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: "csi-0123456789abcdef", TargetPath: node.target("a")})
	wantCode(t, err, codes.NotFound)
}

// TestMountFlagsAreNotTold checks that mount flags, which may be secret, appear in no response.
func TestMountFlagsAreNotTold(t *testing.T) {
	const secret = "password=hunter2"
	node := newTestNodeWith(t, volume.Image)
	node.done(node.stage(mounted(modeMulti, secret)))
	node.done(node.publish("a", mounted(modeMulti, secret)))
	for name, call := range map[string]func() error{
		"staged otherwise":    func() error { return node.stage(mounted(modeMulti, secret, "x")) },
		"published otherwise": func() error { return node.publish("a", mounted(modeMulti, secret, "x")) },
		"staged, published otherwise": func() error {
			return node.publish("b", mounted(modeMulti, secret, "x"))
		},
		"too many":   func() error { return node.stage(mounted(modeMulti, secret, strings.Repeat("f", 4096))) },
		"not usable": func() error { return node.stage(mounted(modeManyWriters, secret)) },
	} {
		t.Run(name, func(t *testing.T) {
			err := call()
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("answered %v, want an error without the flags", err)
			}
		})
	}
}
