// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/internal/privileged"
)

// Texts that no log may contain: secrets, and mount flags, including one that the kernel refuses.
const (
	secret      = "xyzzy"
	wrongSecret = "plover"
	refusedFlag = "token=plugh"
	imageFlag   = "inode64"
	dirFlag     = "nodiratime" // one of the flags that the driver accepts
)

// TestRealLogsTellNoSecret checks that the whole log of the plugins and their libraries contains no secret, for the life
// of a volume of each kind on a node with secrets in every call that takes them.
func TestRealLogsTellNoSecret(t *testing.T) {
	privileged.NeedDisks(t)
	file, dataDir := filepath.Join(t.TempDir(), "config.yaml"), t.TempDir()
	configure(t, file, "pools: [{capacity: 10Gi}]\nsecrets: {CreateVolume: {password: "+secret+"}, NodeStageVolume: {password: "+secret+"}}\n")
	more := []string{"--config=" + file, "--v=10", "--logging-format=json"}
	controller, node := startController(t, dataDir, more...), startNode(t, dataDir, more...)
	for kind, flag := range map[string]string{"image": imageFlag, "dir": dirFlag} {
		live(t, csi.NewControllerClient(controller), csi.NewNodeClient(node), kind, flag)
	}

	for name, plugin := range map[string]program{"controller": controller, "node": node} {
		plugin.end()
		lines := strings.Split(strings.TrimSpace(plugin.log.String()), "\n")
		if len(lines) < 10 {
			t.Errorf("the log of the %s has only these lines:\n%s", name, plugin.log)
		}
		for _, line := range lines {
			for _, forbidden := range []string{secret, wrongSecret, refusedFlag, imageFlag} {
				if strings.Contains(line, forbidden) {
					t.Errorf("the log of the %s has %q: %s", name, forbidden, line)
				}
			}
			if !json.Valid([]byte(line)) {
				t.Errorf("the log of the %s has a line that is no JSON: %s", name, line)
			}
		}
	}
}

// live makes a volume, uses it with a mount flag that is refused and with one that
// is not, and removes it.
func live(t *testing.T, controller csi.ControllerClient, node csi.NodeClient, kind, flag string) {
	t.Helper()
	secrets := map[string]string{"password": secret}
	request := &csi.CreateVolumeRequest{
		Name:               kind,
		Parameters:         map[string]string{"kind": kind},
		Secrets:            map[string]string{"password": wrongSecret},
		CapacityRange:      &csi.CapacityRange{RequiredBytes: 300 << 20},
		VolumeCapabilities: []*csi.VolumeCapability{mounted(flag)},
	}
	_, err := controller.CreateVolume(t.Context(), request)
	mustAnswer(t, "CreateVolume with a wrong secret", err, codes.Unauthenticated)
	request.Secrets = secrets
	created, err := controller.CreateVolume(t.Context(), request)
	mustAnswer(t, "CreateVolume", err, codes.OK)

	id, staging, target := created.GetVolume().GetVolumeId(), t.TempDir(), filepath.Join(t.TempDir(), "target")
	stage := &csi.NodeStageVolumeRequest{VolumeId: id, StagingTargetPath: staging, VolumeCapability: mounted(refusedFlag), Secrets: secrets}
	_, err = node.NodeStageVolume(t.Context(), stage)
	mustAnswer(t, "NodeStageVolume with a flag that is none", err, codes.InvalidArgument)
	stage.VolumeCapability = mounted(flag)
	_, err = controller.ControllerPublishVolume(t.Context(), &csi.ControllerPublishVolumeRequest{
		VolumeId: id, NodeId: "n", VolumeCapability: mounted(flag), Secrets: secrets,
	})
	mustAnswer(t, "ControllerPublishVolume", err, codes.OK)
	_, err = node.NodeStageVolume(t.Context(), stage)
	mustAnswer(t, "NodeStageVolume", err, codes.OK)
	_, err = node.NodePublishVolume(t.Context(), &csi.NodePublishVolumeRequest{
		VolumeId: id, StagingTargetPath: staging, TargetPath: target, VolumeCapability: mounted(flag), Secrets: secrets,
	})
	mustAnswer(t, "NodePublishVolume", err, codes.OK)
	_, err = node.NodeExpandVolume(t.Context(), &csi.NodeExpandVolumeRequest{VolumeId: id, VolumePath: target, Secrets: secrets})
	mustAnswer(t, "NodeExpandVolume", err, codes.OK)
	_, err = node.NodeUnpublishVolume(t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: id, TargetPath: target})
	mustAnswer(t, "NodeUnpublishVolume", err, codes.OK)
	_, err = node.NodeUnstageVolume(t.Context(), &csi.NodeUnstageVolumeRequest{VolumeId: id, StagingTargetPath: staging})
	mustAnswer(t, "NodeUnstageVolume", err, codes.OK)
	_, err = controller.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: id, NodeId: "n", Secrets: secrets})
	mustAnswer(t, "ControllerUnpublishVolume", err, codes.OK)
	_, err = controller.DeleteVolume(t.Context(), &csi.DeleteVolumeRequest{VolumeId: id, Secrets: secrets})
	mustAnswer(t, "DeleteVolume", err, codes.OK)
}

// mustAnswer does not stop the test after another code, so that volumes are unmounted.
func mustAnswer(t *testing.T, call string, err error, want codes.Code) {
	t.Helper()
	if status.Code(err) != want {
		t.Errorf("%s answers %v, want %s", call, err, want)
	}
}
