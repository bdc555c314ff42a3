// SPDX-License-Identifier: Apache-2.0

package ledger

import "slices"

// takingAway lists the RPCs that take a volume away, in the order in which a CO must call them (CU-02).
var takingAway = []string{"NodeUnpublishVolume", "NodeUnstageVolume", "ControllerUnpublishVolume", "DeleteVolume"}

// Awaits reports whether the other entry must be removed before this one: both belong to one volume, and the other step
// comes first.
func (e Entry) Awaits(other Entry) bool {
	step, earlier := slices.Index(takingAway, e.By), slices.Index(takingAway, other.By)
	return earlier >= 0 && earlier < step && e.volume() == other.volume()
}

// volume names the entry of the volume that the entry takes away.
func (e Entry) volume() string {
	if e.By == "DeleteVolume" {
		return e.What
	}
	return e.Of
}
