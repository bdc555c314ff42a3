// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// silent is an Identity service that does not answer Probe before the caller gives up.
type silent struct {
	csi.UnimplementedIdentityServer
}

func (silent) Probe(ctx context.Context, _ *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestProbe(t *testing.T) {
	for _, test := range []struct {
		name   string
		given  csi.IdentityServer // nil means no driver at the socket
		within time.Duration      // 0 means no limit
		want   string             // in the error; "" means no error
	}{
		{name: "ready", given: probed{ready: wrapperspb.Bool(true)}},
		{name: "does not say, which is ready", given: probed{}},
		{name: "not ready", given: probed{ready: wrapperspb.Bool(false)}, want: "the driver says that it is not ready"},
		{name: "an error", given: csi.UnimplementedIdentityServer{}, want: "the driver does not answer Probe: Unimplemented"},
		{name: "silence", given: silent{}, within: 200 * time.Millisecond, want: "the driver does not answer Probe: DeadlineExceeded"},
		{name: "no driver", want: "no such file or directory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			socket := t.TempDir() + "/csi.sock"
			if test.given != nil {
				serveDriver(t, socket, test.given)
			}
			ctx := t.Context()
			if test.within > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, test.within)
				defer cancel()
			}
			err := Probe(ctx, "unix://"+socket)
			if (err == nil) != (test.want == "") || (err != nil && !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestProbeOfNoEndpoint(t *testing.T) {
	if err := Probe(t.Context(), "unix://relative\x00"); err == nil || !strings.Contains(err.Error(), "dialling") {
		t.Errorf("got %v", err)
	}
}
