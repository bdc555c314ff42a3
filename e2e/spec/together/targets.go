// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
)

// there reports whether a volume is published at a path.
type there bool

// targeted is the history of one target path, where a volume has the text.
type targeted struct {
	*history[there]
	node    *harness.Node
	request *csi.NodePublishVolumeRequest
	text    string
}

// historyOfTarget returns the case about one target path: once NodePublishVolume was answered, and no
// NodeUnpublishVolume since, the volume is there with its data.
func historyOfTarget() harness.Case {
	return harness.Case{
		ID:           "history_of_target",
		Text:         "publishes a volume at one path, with its data, and unpublishes it for clients that call at once as for one client that calls in some order",
		Requirements: []string{"NS-13", "NS-16", "NS-19", "NS-20", "GEN-02", "GEN-03", "GEN-13"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Nodes(1), harness.Data()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.VolumeFor(driver.Nodes[0]))
			node := publication.For(driver.Nodes[0], volume)
			t := &targeted{node: node, request: publication.Publish(ctx, node, volume), text: "of " + driver.Name()}
			data.Write(ctx, node, t.request, t.text)
			t.history = newHistory[there](driver, fmt.Sprintf("volume %s at %s", volume.GetVolumeId(), t.request.GetTargetPath()), true)
			// If clients publish and unpublish concurrently, the order of the answers does not show which came last.
			harness.UndoLater(driver, "what is published at "+t.request.GetTargetPath(), func(ctx context.Context) error {
				_, _ = node.NodeUnpublishVolume(ctx, t.unpublishing()) // if it fails, the deletion does
				return nil
			})
			rounds(ctx, func() bool {
				publish := func(ctx context.Context, client int) { t.publish(ctx, client) }
				unpublish := func(ctx context.Context, client int) { t.unpublish(ctx, client) }
				t.atOnce(ctx, publish, unpublish, publish, unpublish)
				if !t.settle(ctx, t.publish) {
					return false
				}
				t.look(ctx)
				if !t.settle(ctx, t.unpublish) {
					return false
				}
				t.look(ctx)
				return true
			})
			t.judge(ctx)
		},
	}
}

func (t *targeted) publish(ctx context.Context, client int) (settled bool) {
	return t.set(client, "NodePublishVolume", true, func() error {
		_, err := t.node.NodePublishVolume(ctx, t.request)
		return err
	})
}

func (t *targeted) unpublish(ctx context.Context, client int) (settled bool) {
	return t.set(client, "NodeUnpublishVolume", false, func() error {
		_, err := t.node.NodeUnpublishVolume(ctx, t.unpublishing())
		return err
	})
}

func (t *targeted) unpublishing() *csi.NodeUnpublishVolumeRequest {
	return &csi.NodeUnpublishVolumeRequest{VolumeId: t.request.GetVolumeId(), TargetPath: t.request.GetTargetPath()}
}

func (t *targeted) set(client int, asked string, to there, perform func() error) (settled bool) {
	done := func(there, bool) []there { return []there{to} }
	mayBeDone := func(before there, _ bool) []there { return []there{before, to} }
	return t.make(client, asked, mayBeDone, func() (answer[there], error) {
		if err := perform(); err != nil {
			return answer[there]{}, err
		}
		return answer[there]{text: "OK", means: done}, nil
	})
}

// look reads at the path what was written to the volume. A failed read shows nothing.
func (t *targeted) look(ctx context.Context) {
	got, err := data.TryRead(ctx, t.node, t.request, 0)
	if err != nil {
		return
	}
	found := there(got == t.text)
	clause := "NS-16"
	if !found {
		clause = data.Clause(t.request)
	}
	unchanged := func(before there, _ bool) []there {
		if before != found {
			return nil
		}
		return []there{before}
	}
	t.make(alone, "reading at the path", unchanged, func() (answer[there], error) {
		return answer[there]{fmt.Sprintf("%q", got), unchanged, clause, clause}, nil
	})
}
