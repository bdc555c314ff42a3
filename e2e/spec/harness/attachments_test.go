// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
)

// publishing lists one volume for each of the nodes.
type publishing struct {
	csi.ControllerClient
	nodes []string
}

func (p publishing) ListVolumes(context.Context, *csi.ListVolumesRequest, ...grpc.CallOption) (*csi.ListVolumesResponse, error) {
	response := &csi.ListVolumesResponse{}
	for _, node := range p.nodes {
		response.Entries = append(response.Entries, &csi.ListVolumesResponse_Entry{Status: &csi.ListVolumesResponse_VolumeStatus{PublishedNodeIds: []string{node}}})
	}
	return response, nil
}

// attachingTo returns the driver of a case. Its nodes have volumes of other users.
func attachingTo(others []string, nodes ...*Node) *Driver {
	return &Driver{Target: &Target{}, Controller: publishing{nodes: others}, Nodes: nodes, Pages: &pages.Reader{}, claims: &claims{
		controller: map[csi.ControllerServiceCapability_RPC_Type]bool{
			csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME:     true,
			csi.ControllerServiceCapability_RPC_LIST_VOLUMES:                 true,
			csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES: true,
		},
	}}
}

func TestAttachmentsAtOnce(t *testing.T) {
	limited, unlimited := &Node{ID: "limited", MaxVolumes: 5}, &Node{ID: "unlimited"}
	for _, c := range []struct {
		name  string
		nodes []*Node
		// others holds the node of each volume of another user, and given the number of volumes that
		// each case attaches.
		others []string
		given  []int64
		want   int // cases that attach at the same time
	}{
		{"as many as the node takes", []*Node{limited, unlimited}, nil, []int64{1, 1, 1, 1, 1, 1, 1}, 5},
		{"fewer where a case attaches more", []*Node{limited}, nil, []int64{2, 2, 2, 2}, 2},
		{"one that attaches more than the node takes", []*Node{limited}, nil, []int64{8, 1}, 1},
		{"beside those of others", []*Node{unlimited, limited}, []string{"limited", "unlimited", "limited"}, []int64{1, 1, 1, 1}, 3},
		{"one where others have all", []*Node{{ID: "limited", MaxVolumes: 1}}, []string{"limited"}, []int64{1, 1}, 1},
		{"any without a limit", []*Node{unlimited}, nil, []int64{1, 8, 1, 1, 1, 1}, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(&Target{Parallel: len(c.given)})
				began := make(chan *Driver, len(c.given))
				for _, attachments := range c.given {
					d := attachingTo(c.others, c.nodes...)
					go func() {
						if err := s.reserve(t.Context(), d, attachments); err != nil {
							t.Error(err)
						}
						began <- d
					}()
					synctest.Wait()
				}
				if got := len(began); got != c.want {
					t.Errorf("%d cases attach at once, want %d", got, c.want)
				}
				if free := s.mayAttach(Case{Needs: Attaches(1)}); free != (c.want == len(c.given)) {
					t.Errorf("another case may attach: %t, while %d of %d do", free, c.want, len(c.given))
				}
				for range c.given { // all cases attach in the end
					(<-began).letGo()
				}
			})
		})
	}
}
