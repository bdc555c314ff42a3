// SPDX-License-Identifier: Apache-2.0

package holdings

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/inventory"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
)

// counting counts the calls of a driver.
type counting struct {
	listOfPages
	calls *int
}

func (c counting) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	*c.calls++
	return c.listOfPages.Invoke(ctx, method, request, response, opts...)
}

// TestWhatOthersHaveIsNotKept checks that only the case's objects in a list are kept, and that a case without objects reads
// no list.
func TestWhatOthersHaveIsNotKept(t *testing.T) {
	const others = 5000
	listed := []string{"own"}
	for i := range others {
		listed = append(listed, fmt.Sprint(i))
	}
	for _, c := range []struct {
		name      string
		exclusive bool
		want      int // volumes
		calls     int // for a case that has made nothing
	}{
		{"others use the back end", false, 1, 0},
		{"it is the run's alone", true, others + 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls int
			many := &atomic.Bool{}
			reader := func() *Reader {
				return &Reader{
					Controller: csi.NewControllerClient(counting{listOfPages{"": {listed, ""}}, &calls}), ListsVolumes: true,
					Profile: profile.Profile{Exclusive: c.exclusive}, Made: &inventory.Made{}, Pages: &pages.Reader{}, Many: many,
				}
			}
			r := reader()
			r.Made.Answered(nil, &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "own"}})
			got, err := r.read(t.Context())
			if err != nil || len(got.Volumes) != c.want {
				t.Errorf("%d volumes are kept, %v, want %d", len(got.Volumes), err, c.want)
			}
			calls = 0
			if _, err := reader().read(t.Context()); err != nil || calls != c.calls {
				t.Errorf("%d lists are read for a case that has made nothing, %v, want %d", calls, err, c.calls)
			}
		})
	}
}
