// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	reloadedWithin = 20 * time.Second
	reloadInterval = 20 * time.Millisecond
)

// configure replaces the configuration file.
func configure(t *testing.T, path, content string) {
	t.Helper()
	const head = "apiVersion: hostpath.topo.csi/v1alpha1\nkind: DriverConfiguration\n"
	if err := os.WriteFile(path+".new", []byte(head+content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func TestConfigurationIsReloaded(t *testing.T) {
	file, dataDir := filepath.Join(t.TempDir(), "config.yaml"), t.TempDir()
	configure(t, file, "pools: [{capacity: 3Gi}]\nsecrets: {CreateVolume: {password: xyzzy}, NodePublishVolume: {password: plugh}}\n")
	controller := csi.NewControllerClient(startController(t, dataDir, "--config="+file))
	node := csi.NewNodeClient(startNode(t, dataDir, "--config="+file))

	available := func() int64 {
		answer, err := controller.GetCapacity(t.Context(), &csi.GetCapacityRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return answer.GetAvailableCapacity()
	}
	// Neither request is valid: this only checks whether it reaches the service.
	create := func(secrets map[string]string) codes.Code {
		_, err := controller.CreateVolume(t.Context(), &csi.CreateVolumeRequest{Secrets: secrets})
		return status.Code(err)
	}
	publish := func(secrets map[string]string) codes.Code {
		_, err := node.NodePublishVolume(t.Context(), &csi.NodePublishVolumeRequest{Secrets: secrets})
		return status.Code(err)
	}

	if got := available(); got != 3<<30 {
		t.Errorf("%d bytes are available, want 3 GiB", got)
	}
	for _, test := range []struct {
		name  string
		call  func(map[string]string) codes.Code
		given string
		want  codes.Code
	}{
		{"CreateVolume", create, "xyzzy", codes.InvalidArgument},
		{"CreateVolume", create, "plugh", codes.Unauthenticated},
		{"NodePublishVolume", publish, "plugh", codes.InvalidArgument},
		{"NodePublishVolume", publish, "xyzzy", codes.Unauthenticated},
	} {
		if got := test.call(map[string]string{"password": test.given}); got != test.want {
			t.Errorf("%s with password %s: got %s, want %s", test.name, test.given, got, test.want)
		}
	}

	configure(t, file, "pools: [{capacity: 5Gi}]\nsecrets: {CreateVolume: {password: frotz}}\n")
	err := wait.PollUntilContextTimeout(t.Context(), reloadInterval, reloadedWithin, true, func(context.Context) (bool, error) {
		return available() == 5<<30 && publish(nil) == codes.InvalidArgument, nil
	})
	if err != nil {
		t.Fatalf("the new configuration is not in force: %v; %d bytes are available, want 5 GiB", err, available())
	}
	if got := create(map[string]string{"password": "xyzzy"}); got != codes.Unauthenticated {
		t.Errorf("CreateVolume with the old password: got %s", got)
	}
	if got := create(map[string]string{"password": "frotz"}); got != codes.InvalidArgument {
		t.Errorf("CreateVolume with the new password: got %s", got)
	}
}
