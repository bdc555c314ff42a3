// SPDX-License-Identifier: Apache-2.0

package publication

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Try attaches, stages and publishes a plain volume on the first node, and takes it away, before the first case. It returns
// a sentence that explains why volumes cannot be used there; the cases that fail for that reason report only this sentence.
// The error reports that the driver's claims could not be read.
func Try(ctx context.Context, s *harness.Suite) (why string, err error) {
	err = s.Ask(ctx, "preflight_node", func(ctx context.Context, d *harness.Driver) error {
		if len(d.Nodes) == 0 || d.Profile().FakeNodes || !d.HasVolume() {
			return nil
		}
		node := d.Nodes[0]
		var said suite.Outcome // of what needs a case to speak for
		said.Run(func() {
			ctx := suite.With(ctx, &said)
			volume := d.NeedVolume(ctx, d.VolumeFor(node))
			PublishJudged(ctx, node, volume, d.CapabilityOf(volume), func(rpc string, err error) {
				if err != nil {
					why = fmt.Sprintf("no plain volume can be used on %s, as was seen before the first case: %s with volume_capability %s answered %s; %s",
						node, rpc, describe.Capability(d.CapabilityOf(volume)), describe.Status(err), cure(err))
					s.NoteUnusable(rpc, err, why)
				}
			})
		})
		return nil
	})
	return why, err
}

// cure describes what to do about a volume that cannot be used, based on the driver's answer.
func cure(err error) string {
	text := strings.ToLower(status.Convert(err).Message())
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	switch {
	case says("executable file not found", "command not found", "mkfs", "not installed"):
		return "install the program where the node plugin runs, or set fsType in the profile to another file system"
	case says("not permitted", "permission denied", "must be root", "superuser"):
		return "run the node plugin with the rights to mount"
	case says("no such file or directory", "does not exist", "not exist"):
		return "if the node plugin does not see the file system of this machine, say in the profile's directories how to make a directory where it does"
	case says("unknown filesystem type", "fstype", "fs_type", "fs type"):
		return "set fsType in the profile to a file system that the node has"
	default:
		return "look at the node plugin's log; without node endpoints the controller can be judged alone"
	}
}
