// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

// there reports whether a volume is published at a path.
type there bool

// targeted is the history of one target path of a volume that contains the text.
type targeted struct {
	*history[there]
	node    *harness.Node
	request *csi.NodePublishVolumeRequest
	text    string
	// beside reports that another path is published concurrently, for which the plugin may refuse this one.
	beside bool
}

// historiesOfTargets returns the cases about target paths of one volume: once NodePublishVolume was answered, and no
// NodeUnpublishVolume since, the volume is there with its data. A volume for several writers can be at both paths.
func historiesOfTargets() []harness.Case {
	var cases []harness.Case
	for _, variant := range []struct {
		id, at string
		mode   csi.VolumeCapability_AccessMode_Mode // UNKNOWN means the profile's mode
		needs  []harness.Need
	}{
		{"history_of_target", "at one path and at two", csi.VolumeCapability_AccessMode_UNKNOWN, nil},
		{"history_of_targets", "of SINGLE_NODE_MULTI_WRITER at one path and at two", csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER,
			harness.Needs(harness.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER), harness.NodeClaims(csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER))},
	} {
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         "publishes a volume " + variant.at + ", with its data, and unpublishes it for clients that call at once as for one client that calls in some order",
			Requirements: []string{"NS-13", "NS-16", "NS-19", "NS-20", "GEN-02", "GEN-03", "GEN-13"},
			Needs:        harness.Needs(harness.Volumes(1), harness.Nodes(1), harness.Data(), variant.needs),
			Run: func(ctx context.Context, driver *harness.Driver) {
				asked, capability := driver.VolumeFor(driver.Nodes[0]), driver.Capability()
				var volume *csi.Volume
				if variant.mode == csi.VolumeCapability_AccessMode_UNKNOWN {
					volume = driver.NeedVolume(ctx, asked)
				} else {
					volume, capability = driver.NeedVolumeOf(ctx, asked, variant.mode)
				}
				node := publication.For(driver.Nodes[0], volume)
				first := newTargeted(driver, node, publication.PublishAs(ctx, node, volume, capability), true)
				first.text = "of " + driver.Name()
				data.Write(ctx, node, first.request, first.text)
				other := proto.CloneOf(first.request)
				other.TargetPath = node.TargetPath(ctx)
				second := newTargeted(driver, node, other, false)
				second.text = first.text
				rounds(ctx, func() bool { return first.meet(ctx) && meetBoth(ctx, first, second) })
				first.judge(ctx)
				second.judge(ctx)
			},
		})
	}
	return cases
}

// newTargeted returns the history of the path of the request, which is unpublished after the case: if clients publish
// and unpublish concurrently, the order of the answers does not show which came last.
func newTargeted(driver *harness.Driver, node *harness.Node, request *csi.NodePublishVolumeRequest, published there) *targeted {
	of := fmt.Sprintf("volume %s at %s", request.GetVolumeId(), request.GetTargetPath())
	t := &targeted{history: newHistory(driver, of, published), node: node, request: request}
	harness.UndoLater(driver, "what is published at "+request.GetTargetPath(), func(ctx context.Context) error {
		_, _ = node.NodeUnpublishVolume(ctx, t.unpublishing()) // if it fails, the deletion does
		return nil
	})
	return t
}

// meet lets clients publish the volume at the path while others unpublish it.
func (t *targeted) meet(ctx context.Context) (again bool) {
	publish := func(ctx context.Context, client int) { t.bring(ctx, client, true) }
	unpublish := func(ctx context.Context, client int) { t.bring(ctx, client, false) }
	t.beside = false
	t.atOnce(ctx, publish, unpublish, publish, unpublish)
	return t.settleAt(ctx, true, false) && t.settleAt(ctx, false, false)
}

// meetBoth lets one client for each path publish the volume there, or unpublish it, at the same time.
func meetBoth(ctx context.Context, targets ...*targeted) (again bool) {
	for _, to := range [][]there{{true, true}, {false, false}, {false, true}, {true, false}, {false, false}} {
		settled := make([]bool, len(targets))
		var clients []func(ctx context.Context, client int)
		for i, t := range targets {
			t.beside = true
			clients = append(clients, func(ctx context.Context, client int) { settled[i] = t.bring(ctx, client, to[i]) })
		}
		targets[0].atOnce(ctx, clients...)
		for i, t := range targets {
			t.mustBeAnswered()
			if !t.settleAt(ctx, to[i], settled[i]) {
				return false
			}
		}
	}
	return true
}

// settleAt brings the volume to the path, or takes it from there, if it was not settled by an earlier call, and looks.
func (t *targeted) settleAt(ctx context.Context, to there, settled bool) bool {
	if !settled && !t.settle(ctx, func(ctx context.Context, client int) bool { return t.bring(ctx, client, to) }) {
		return false
	}
	t.look(ctx)
	return true
}

// bring publishes the volume at the path, or unpublishes it.
func (t *targeted) bring(ctx context.Context, client int, to there) (settled bool) {
	if to {
		return t.set(client, "NodePublishVolume", true, func() error {
			_, err := t.node.NodePublishVolume(ctx, t.request)
			return err
		})
	}
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
		err := perform()
		if code := status.Code(err); t.beside && err != nil && !statuses.MayPass(code) {
			return answer[there]{text: model.CodeName(code), means: mayBeDone}, nil
		}
		if err != nil {
			return answer[there]{}, err
		}
		return answer[there]{text: "OK", means: done}, nil
	})
}

// look reads the text of the volume at the path. A failed read shows nothing.
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
