// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

// ending ends a process at one of its moments: before and after each change on disk, and before and after each action of
// the mounter. From then on nothing happens any more.
type ending struct {
	*memory.Volumes
	at, now int
}

var errEnded = errors.New("the process has ended")

// countStep counts a step at which the process may end, and fails once it has ended.
func (e *ending) countStep() error {
	e.now++
	if e.now > e.at {
		return errEnded
	}
	return nil
}

func (e *ending) watch(string, bool) error { return e.countStep() }

func (e *ending) around(do func() error) error {
	if err := e.countStep(); err != nil {
		return err
	}
	return errors.Join(do(), e.countStep())
}

func (e *ending) Stage(ctx context.Context, id, path string, o volume.StageOptions) error {
	return e.around(func() error { return e.Volumes.Stage(ctx, id, path, o) })
}

func (e *ending) Unstage(ctx context.Context, id, path string) error {
	return e.around(func() error { return e.Volumes.Unstage(ctx, id, path) })
}

func (e *ending) Publish(ctx context.Context, id, staging, target string, o volume.PublishOptions) error {
	return e.around(func() error { return e.Volumes.Publish(ctx, id, staging, target, o) })
}

func (e *ending) Unpublish(ctx context.Context, id, target string) error {
	return e.around(func() error { return e.Volumes.Unpublish(ctx, id, target) })
}

// Usage fails once the process has ended.
func (e *ending) Usage(ctx context.Context, id, path string) (volume.Usage, error) {
	if e.now > e.at {
		return volume.Usage{}, errEnded
	}
	return e.Volumes.Usage(ctx, id, path)
}

// TestNodeEndsAnywhere checks that when the plugin ends at any moment of a call that mounts or unmounts a volume and
// another plugin starts, the repeated call returns OK, even after a request for the volume in another way, which is
// refused if and only if the volume is there; and that in the end nothing is left.
func TestNodeEndsAnywhere(t *testing.T) {
	as, other := mounted(modeSingle, "noatime"), mounted(modeSingle, "sync")
	for _, test := range []struct {
		name    string
		before  func(*testNode)
		call    func(*testNode) error
		moments int
		// otherwise requests the volume in another way, where it would be after the call.
		otherwise func(*testNode) error
		path      func(*testNode) string
		refused   codes.Code
	}{
		{
			name: "stage", moments: 8,
			before:    func(*testNode) {},
			call:      func(n *testNode) error { return n.stage(as) },
			otherwise: func(n *testNode) error { return n.stage(other) },
			path:      func(n *testNode) string { return n.staging },
			refused:   codes.AlreadyExists,
		},
		{
			name: "publish", moments: 8,
			before:    func(n *testNode) { n.done(n.stage(as)) },
			call:      func(n *testNode) error { return n.publish("a", as) },
			otherwise: func(n *testNode) error { return n.publish("b", as) },
			path:      func(n *testNode) string { return n.target("a") },
			refused:   codes.FailedPrecondition,
		},
		{
			name: "unpublish", moments: 6,
			before:    func(n *testNode) { n.done(n.stage(as)); n.done(n.publish("a", as)) },
			call:      func(n *testNode) error { return n.unpublish("a") },
			otherwise: func(n *testNode) error { return n.publish("b", as) },
			path:      func(n *testNode) string { return n.target("a") },
			refused:   codes.FailedPrecondition,
		},
		{
			name: "unstage", moments: 6,
			before:    func(n *testNode) { n.done(n.stage(as)) },
			call:      func(n *testNode) error { return n.unstage() },
			otherwise: func(n *testNode) error { return n.stage(other) },
			path:      func(n *testNode) string { return n.staging },
			refused:   codes.AlreadyExists,
		},
	} {
		for at := 0; ; at++ {
			ended := false
			for _, first := range []string{"repeated", "asked for otherwise"} {
				t.Run(fmt.Sprintf("%s, ended at moment %d, %s", test.name, at, first), func(t *testing.T) {
					node := newTestNode(t)
					node.t = t
					test.before(node)
					process := &ending{Volumes: node.volumes, at: at}
					node.start(NodeConfig{Volumes: process, Watch: process.watch})
					err := test.call(node)
					if ended = process.now > at; ended != (err != nil) {
						t.Fatalf("at moment %d of %d it answered %v", at, process.now, err)
					}
					node.restart()
					if first != "repeated" {
						_, there := node.volumes.Usage(t.Context(), node.id, test.path(node))
						want := codes.OK
						if there == nil {
							want = test.refused
						}
						wantCode(t, test.otherwise(node), want)
						node.done(node.unpublish("b"))
						if want == codes.OK && test.path(node) == node.staging {
							node.done(node.unstage())
						}
					}
					if test.name != "unstage" || first == "repeated" {
						node.done(test.call(node))
					}
					node.done(node.unpublish("a"))
					node.done(node.unstage())
					node.wantNothingKept()
				})
			}
			if !ended {
				if at != test.moments {
					t.Errorf("%s has %d moments, want %d", test.name, at, test.moments)
				}
				break
			}
		}
	}
}
