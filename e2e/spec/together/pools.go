// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/fill"
)

// used tracks the volumes in a segment: their number, and the one that is deleted.
type used struct {
	volumes int
	deleted string
}

// pooled is the history of the room of a segment that fits the given number of volumes.
type pooled struct {
	*history[used]
	fit int
}

// historyOfPool returns the case about the room of one segment, which clients take and give back concurrently. The room
// of one volume is given back once, however often it is deleted.
func historyOfPool() harness.Case {
	return harness.Case{
		ID:           "history_of_pool",
		Text:         "creates no more volumes than fit into Z2 for clients that create at once, and that delete one volume at once",
		Requirements: []string{"TR-08", "DV-01", "GEN-02", "GEN-03", "GEN-13"},
		Needs: harness.Needs(harness.Segments(1), harness.Volumes(4), harness.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY),
			harness.ExactCapacity(), harness.Exhaustion()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			room, each := fill.AllButTwo(ctx, driver, driver.Z2)
			p := &pooled{newHistory(driver, fmt.Sprintf("volumes of %d bytes in %s, which has room for %d bytes", each, driver.Z2, room), used{}), int(room / each)}
			p.atOnce(ctx, p.creations(p.fit+1)...)
			if one := p.anyCreated(); one != "" {
				del := func(ctx context.Context, client int) { p.delete(ctx, client, one) }
				p.atOnce(ctx, append(p.creations(2), del, del)...)
				p.settle(ctx, func(ctx context.Context, client int) bool { return p.delete(ctx, client, one) })
				p.atOnce(ctx, p.creations(2)...)
			}
			p.judge(ctx)
		},
	}
}

// creations returns clients that create one volume each.
func (p *pooled) creations(clients int) []func(ctx context.Context, client int) {
	created := func(before used, _ bool) []used {
		if before.volumes >= p.fit {
			return nil
		}
		return []used{{before.volumes + 1, before.deleted}}
	}
	mayCreate := func(before used, strict bool) []used { return append(created(before, strict), before) }
	var all []func(ctx context.Context, client int)
	for range clients {
		request := p.driver.CreateVolumeRequest(p.driver.Volume(1).Within(p.driver.Z2))
		all = append(all, func(ctx context.Context, client int) {
			p.make(client, "CreateVolume of "+request.GetName(), mayCreate, func() (answer[used], error) {
				response, err := p.driver.Controller.CreateVolume(ctx, request)
				if err != nil {
					return answer[used]{}, err
				}
				return answer[used]{response.GetVolume().GetVolumeId(), created, "TR-08", "TR-08"}, nil
			})
		})
	}
	return all
}

// anyCreated returns the id of a created volume, or "" if there is none.
func (p *pooled) anyCreated() string {
	for _, c := range p.calls {
		if c.means != nil {
			return c.text
		}
	}
	return ""
}

func (p *pooled) delete(ctx context.Context, client int, id string) (settled bool) {
	deleted := func(before used, _ bool) []used {
		if before.deleted == id {
			return []used{before}
		}
		return []used{{before.volumes - 1, id}}
	}
	mayDelete := func(before used, strict bool) []used { return append(deleted(before, strict), before) }
	return p.make(client, "DeleteVolume of "+id, mayDelete, func() (answer[used], error) {
		_, err := p.driver.Controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id, Secrets: p.driver.Profile().Secrets.DeleteVolume})
		if err != nil {
			return answer[used]{}, err
		}
		return answer[used]{text: "OK", means: deleted}, nil
	})
}
