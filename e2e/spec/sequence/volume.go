// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
)

// volume tracks one name, and the last volume that had it.
type volume struct {
	number int
	name   string
	form   Form
	// asked is the last CreateVolume of the name, nil before the first.
	asked *wish
	// id is the volume's id; it stays when the volume is deleted, and is empty if there never was one.
	id     string
	exists bool
	// since is the number of the step that created the volume.
	since int
	// forgotten reports that the state of the name is not known any more.
	forgotten bool
	// is holds the wish that the volume was created for, and bytes its size. told reports that the driver has reported the
	// size.
	is    wish
	bytes int64
	told  bool
	// topology and context come from the driver's answer, and segments are the segments of the volume.
	topology []*csi.Topology
	context  map[string]string
	segments model.Set
	// from is the content_source in the driver's answer.
	from *csi.VolumeContentSource
	// grown reports that the volume was expanded, unsure that an expansion failed, which may have left it with another
	// size, copied that it has had snapshots or clones, and written that a node published it for writing.
	grown, unsure, copied, written bool
	// ungrown is the size before the volume grew, until a node expands it; 0 if it did not grow. alone reports that no node
	// has to expand it, according to the last growth.
	ungrown int64
	alone   bool
	// refused is the size for which an expansion was FAILED_PRECONDITION while a node had the volume, though the plugin claims ONLINE.
	refused int64
	// created is the size in the answer of CreateVolume.
	created int64
	// holds is the text that was written to the volume last; empty if it is not known. inherits reports that it was
	// written to the source of the volume.
	holds    string
	inherits bool
	// cut is the step that took the snapshot that the volume was created from: data that is written later is not in it.
	cut int
	// parted reports that several nodes have used the volume at the same time.
	parted bool
	// on holds the nodes that have the volume.
	on []*attachment
}

// attachment is a volume on a node.
type attachment struct {
	node *harness.Node
	// published reports that the controller has published the volume to the node: in this way, and with this
	// publish_context.
	published, readOnly bool
	publishContext      map[string]string
	// outlasts reports that the volume was unpublished from another node since.
	outlasts bool
	// staging is the last request that staged the volume, nil before the first; staged reports that it is staged.
	staging *csi.NodeStageVolumeRequest
	staged  bool
	// mounts holds the paths where a step can publish the volume.
	mounts [paths]mounting
}

// paths is the number of target paths that a volume has on a node.
const paths = 3

// mounting is one of the target paths. request is the last request that published the volume there, nil before the
// first; done reports that it is published.
type mounting struct {
	request *csi.NodePublishVolumeRequest
	done    bool
	// grown is the last size for which NodeExpandVolume was OK since, and totals holds the sizes that NodeGetVolumeStats has
	// reported since.
	grown  int64
	totals []total
}

// isMounted reports whether the volume is published at one of the paths.
func (a *attachment) isMounted() bool {
	return slices.ContainsFunc(a.mounts[:], func(m mounting) bool { return m.done })
}

// volume returns the volume with the number of the step's name, under a name that is new in the driver.
func (s *sequence) volume(step Step) *volume {
	if s.volumes[step.Name] == nil {
		twin := ""
		if v := s.volumes[step.Twin]; v != nil {
			twin = v.name
		}
		s.volumes[step.Name] = &volume{number: step.Name, name: s.name(step.Form, twin), form: step.Form}
	}
	return s.volumes[step.Name]
}

// longest is the length in bytes of names and paths that all drivers must accept.
const longest = 128

// name returns a new name of the form: with OtherCase, like the twin's, if it has one.
func (s *sequence) name(form Form, twin string) string {
	switch name := s.driver.Name(); {
	case form == Longest:
		last := strings.LastIndex(name, "-") // two such names differ at the end only
		return name[:last] + strings.Repeat("x", max(0, longest-len(name))) + name[last:]
	case form == OtherCase && twin != "":
		last := strings.LastIndexFunc(twin, unicode.IsLower) // the beginning shows which run it belongs to
		return twin[:last] + strings.ToUpper(twin[last:])
	default:
		return name
	}
}

// least returns the minimum size of the volume in bytes: the size required in CreateVolume, if the driver does not report
// the size.
func (v *volume) least() int64 {
	if v.told {
		return v.bytes
	}
	return v.is.Bytes
}

// size describes the size of the volume in words.
func (v *volume) size() string {
	if v.told {
		return fmt.Sprintf("%d bytes", v.bytes)
	}
	return fmt.Sprintf("at least the %d bytes that were required, and the driver does not report its size", v.is.Bytes)
}

// message returns the volume for later calls.
func (v *volume) message() *csi.Volume {
	return &csi.Volume{VolumeId: v.id, VolumeContext: v.context, AccessibleTopology: v.topology}
}

// at returns the volume on the node; nil if it has never been there.
func (v *volume) at(node *harness.Node) *attachment {
	for _, a := range v.on {
		if a.node == node {
			return a
		}
	}
	return nil
}

// beAt is like at, for a volume that is brought to the node.
func (v *volume) beAt(node *harness.Node) *attachment {
	if a := v.at(node); a != nil {
		return a
	}
	a := &attachment{node: node}
	v.on = append(v.on, a)
	return a
}

// nodes returns the nodes to which the volume is published.
func (v *volume) nodes() []*harness.Node {
	var nodes []*harness.Node
	for _, a := range v.on {
		if a.published {
			nodes = append(nodes, a.node)
		}
	}
	return nodes
}

// isUsed reports whether a node has staged or mounted the volume.
func (v *volume) isUsed() bool {
	for _, a := range v.on {
		if a.isUsed() {
			return true
		}
	}
	return false
}

// isBusy reports whether the volume is on a node in any way.
func (v *volume) isBusy() bool { return v.isUsed() || len(v.nodes()) > 0 }

// isUsed reports whether the node has staged or mounted the volume.
func (a *attachment) isUsed() bool { return a != nil && (a.staged || a.isMounted()) }

// node returns the node with the number, counted from the nodes that reach the volume; nil if this is not known of any
// node.
func (s *sequence) node(v *volume, number int) *harness.Node {
	reaching, others := publication.Reaching(s.driver, v.topology)
	all := append(reaching, others...)
	if len(all) == 0 {
		return nil
	}
	return all[number%len(all)]
}

// capability returns the capability of a volume for the wish: its access mode is the kind's unless the use requires
// another.
func (s *sequence) capability(of wish) *csi.VolumeCapability {
	kind, _ := s.driver.Profile().Kind(max(1, of.kind))
	switch of.use {
	case Device:
		return messages.As(s.driver.Block(), kind.Mode())
	case SharedDevice:
		return messages.As(s.driver.Block(), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
	case Shared:
		return messages.As(s.driver.Capability(), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
	case Readers:
		return messages.As(s.driver.Capability(), csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY)
	case Pods:
		return messages.As(s.driver.Capability(), csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER)
	default:
		return messages.As(s.driver.Capability(), kind.Mode())
	}
}

// mode returns the access mode of the volume.
func (s *sequence) mode(v *volume) csi.VolumeCapability_AccessMode_Mode {
	return s.capability(v.is).GetAccessMode().GetMode()
}

// isOfSeveral reports whether several nodes may have the volume, each of them in any way.
func (s *sequence) isOfSeveral(v *volume) bool {
	return messages.ForSeveralNodes(s.mode(v)) && !s.isOfOneWriter(v)
}

// isOfOneWriter reports whether one of several nodes may write to the volume.
func (s *sequence) isOfOneWriter(v *volume) bool {
	return s.mode(v) == csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER
}

// isRead reports whether the volume is only read.
func (s *sequence) isRead(v *volume) bool {
	return messages.ReadsOnly(s.mode(v))
}

// ofSeveral reports whether several nodes may have a volume with the mode.
func (u Use) ofSeveral() bool {
	return u == Shared || u == SharedDevice || u == Readers
}
