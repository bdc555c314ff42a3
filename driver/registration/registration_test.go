// SPDX-License-Identifier: Apache-2.0

package registration

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"

	"github.com/csi-topo/csi-topo/driver/service"
)

// dial serves the registration as the driver does, and returns the kubelet's client.
func dial(t *testing.T, refused func(error)) registrationv1.RegistrationClient {
	t.Helper()
	endpoint := "unix://" + SocketPath(t.TempDir(), "some.driver")
	socket, err := service.Listen(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	group := errgroup.Group{}
	group.Go(func() error {
		return service.ServeOn(t.Context(), socket, New("some.driver", "/host/csi.sock", refused).Register)
	})
	t.Cleanup(func() {
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	})
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return registrationv1.NewRegistrationClient(connection)
}

func TestSocketPath(t *testing.T) {
	got := SocketPath("/var/lib/kubelet/plugins_registry", "hostpath.topo.csi")
	if want := filepath.Join("/var/lib/kubelet/plugins_registry", "hostpath.topo.csi-reg.sock"); got != want {
		t.Errorf("the socket is %s, want %s", got, want)
	}
}

func TestGetInfo(t *testing.T) {
	kubelet := dial(t, func(err error) { t.Errorf("refused: %v", err) })
	info, err := kubelet.GetInfo(t.Context(), &registrationv1.InfoRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if info.GetType() != "CSIPlugin" || info.GetName() != "some.driver" || info.GetEndpoint() != "/host/csi.sock" {
		t.Errorf("the kubelet is told %v", info)
	}
	if versions := info.GetSupportedVersions(); len(versions) != 1 || versions[0] != "1.0.0" {
		t.Errorf("the kubelet is told versions %v, want 1.0.0", versions)
	}
}

func TestNotifyRegistrationStatus(t *testing.T) {
	for _, test := range []struct {
		name        string
		given       *registrationv1.RegistrationStatus
		wantRefused string // "" means not refused
	}{
		{name: "registered", given: &registrationv1.RegistrationStatus{PluginRegistered: true}},
		{
			name:        "refused",
			given:       &registrationv1.RegistrationStatus{Error: "no such version"},
			wantRefused: "did not register driver some.driver: no such version",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			reasons := make(chan error, 1)
			kubelet := dial(t, func(err error) { reasons <- err })
			if _, err := kubelet.NotifyRegistrationStatus(t.Context(), test.given); err != nil {
				t.Fatal(err)
			}
			if test.wantRefused == "" {
				if len(reasons) > 0 {
					t.Errorf("refused: %v", <-reasons)
				}
				return
			}
			select {
			case err := <-reasons:
				if !strings.Contains(err.Error(), test.wantRefused) {
					t.Errorf("the reason is %v, want %q", err, test.wantRefused)
				}
			case <-time.After(10 * time.Second):
				t.Error("nobody was told of the refusal")
			}
		})
	}
}
