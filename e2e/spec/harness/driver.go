// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Driver is the driver under test as one case sees it. Its clients are those of the CSI module; see connection for what
// they do besides.
type Driver struct {
	// Z2 to Z5 are the first four of the driver's segments which have the kinds of volume that the case makes, by the names
	// that the specification's examples give zones; those that the driver does not have are nil.
	Z2, Z3, Z4, Z5 model.Segment
	// Identity, Controller and Groups are the controller endpoint's, Nodes the node endpoints'.
	Identity   csi.IdentityClient
	Controller csi.ControllerClient
	Groups     csi.GroupControllerClient
	Nodes      []*Node

	target *Target
	caseID string
	calls  *callLog
	ledger *ledger
	health *health
	silent atomic.Pointer[noAnswer] // of the first call that the driver died of, or never answered
	broken atomic.Pointer[breakage] // the first
	named  atomic.Int64

	claims   *claims
	segments model.Set
	usable   model.Set // the segments that have all the kinds of volume which the case makes
	world    model.World
	rooms    map[string]room // what the driver told of each segment when the case began
	filled   model.Set       // the segments that the case has filled

	before    state // when the case began
	made      made
	changes   atomic.Int64 // counts what may have changed the driver's state
	lastState *state       // the latest that was read
}

// connect makes the driver of one case, of which nothing is known yet.
func connect(target *Target, health *health, caseID string) *Driver {
	d := &Driver{target: target, health: health, caseID: caseID, calls: &callLog{caseID: caseID}}
	d.ledger = &ledger{driver: d}
	controller := connection{target.Controller, "the controller", d}
	d.Identity, d.Controller = csi.NewIdentityClient(controller), csi.NewControllerClient(controller)
	d.Groups = csi.NewGroupControllerClient(controller)
	for i, conn := range target.Nodes {
		d.Nodes = append(d.Nodes, newNode(connection{conn, fmt.Sprintf("node endpoint %d", i+1), d}))
	}
	return d
}

// know takes the driver's claims for what it is, and its segments from them.
func (d *Driver) know(c *claims) {
	d.claims = c
	for i, node := range d.Nodes {
		node.ID, node.MaxVolumes, node.Segment, node.claims = c.nodes[i].id, c.nodes[i].maxVolumes, c.nodes[i].segment, c.nodes[i].capabilities
		node.unknown = c.nodes[i].unknown
	}
	d.segments = d.segmentsKnown()
	d.keepTo(d.segments)
}

// keepTo has the case use these segments and no others.
func (d *Driver) keepTo(usable model.Set) {
	d.usable = usable
	for i, zone := range []*model.Segment{&d.Z2, &d.Z3, &d.Z4, &d.Z5} {
		*zone = nil
		if i < len(usable) {
			*zone = usable[i]
		}
	}
}

// Profile is what the vendor says of the driver.
func (d *Driver) Profile() profile.Profile {
	return d.target.Profile
}

// Sockets are the paths of the driver's sockets on this machine, each once; none where it listens elsewhere.
func (d *Driver) Sockets() []string {
	var found []string
	for _, endpoint := range d.target.Endpoints {
		path, isSocket := strings.CutPrefix(endpoint, "unix:")
		path = strings.TrimPrefix(path, "//")
		if info, err := os.Stat(path); isSocket && err == nil && info.Mode().Type() == fs.ModeSocket && !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	return found
}

// Seed is what the run's random choices follow from, and Steps how many requests a generated case has.
func (d *Driver) Seed() (seed int64, steps int) {
	return d.target.Seed, d.target.Steps
}

// GeneratedEnd is when a generated case that begins now has to end, at the latest.
func (d *Driver) GeneratedEnd() time.Time {
	return time.Now().Add(d.target.Timeouts.Generated)
}

// ProvisionLimit is how long a call that changes something may take, with its repetitions.
func (d *Driver) ProvisionLimit() time.Duration { return d.target.Timeouts.Provision }

// Explains reports whether a generated case that fails looks for the few requests that show it.
func (d *Driver) Explains() bool { return !d.target.Unexplained }

// Segments are all of the driver's segments which have the kinds of volume that the case makes, in the order of their
// names.
func (d *Driver) Segments() model.Set {
	return slices.Clone(d.usable)
}

// Zones are the first of those segments: so many, or all that there are.
func (d *Driver) Zones(most int) model.Set {
	return slices.Clone(d.usable[:min(most, len(d.usable))])
}

// Makes reports whether the driver has volumes that are accessible from x topologies, and has them in these, which one
// volume may have together.
func (d *Driver) Makes(x int, in ...model.Segment) bool {
	kind, found := d.Profile().Kind(x)
	return found && !slices.ContainsFunc(in, func(segment model.Segment) bool {
		return !existsIn(kind, segment) || kind.Sharing != "" && segment[kind.Sharing] != in[0][kind.Sharing]
	})
}

// World is the driver's segments and what is known of the room in each: what was told before the case made its volumes,
// less where the case has filled a segment, or where less was told after a call that was refused.
func (d *Driver) World() model.World {
	return d.world
}

// Available is how many bytes volumes could have in the segment altogether before the case made its own, if the driver
// tells.
func (d *Driver) Available(segment model.Segment) (bytes int64, told bool) {
	there := d.rooms[segment.String()]
	return there.available, there.told
}

// Size is the size in bytes of the volumes that a case asks for.
func (d *Driver) Size() int64 {
	return d.target.Profile.VolumeBytes
}

// Name is a new name for something that the case makes: it tells the run and the case. It is a label of RFC 1035, as the
// names are that Kubernetes gives: what names a driver takes besides is for the cases on names to judge.
func (d *Driver) Name() string {
	id := strings.ReplaceAll(strings.ToLower(d.caseID), "_", "-")
	return fmt.Sprintf("csi-topo-%s-%s-%d", d.target.Run, id, d.named.Add(1))
}
