// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
)

// grow expands a volume. The specification does not say whether it must succeed if there is room, but it must not if
// there is none.
func (s *sequence) grow(v *volume, step Step) call {
	bytes := s.grown(v, step.Size)
	request := growth.ControllerRequest(s.driver, v.message(), bytes)
	request.VolumeCapability = s.capability(v.is)
	switch asked := request.GetCapacityRange(); step.Limit {
	case Loose:
		asked.LimitBytes = bytes + s.driver.Size()
	case Exact:
		asked.LimitBytes = bytes
	case LimitOnly:
		asked.RequiredBytes, asked.LimitBytes = 0, bytes
	default:
	}
	return callOf(s.driver.Controller.ControllerExpandVolume, request, func(_ context.Context, response *csi.ControllerExpandVolumeResponse, err error) outcome {
		o := outcomeOf(fmt.Sprintf("ControllerExpandVolume of %s: %s", v.name, describe.Range(request.GetCapacityRange())), err)
		s.judgeGrowth(&o, v, bytes, request.GetCapacityRange(), err)
		s.judgeOnline(&o, v, bytes, err)
		v.unsure = v.unsure || err != nil
		if err == nil && v.exists {
			before := v.bytes
			s.judgeGrown(&o, v, request.GetCapacityRange(), response.GetCapacityBytes())
			v.noteExpansion(before, response.GetNodeExpansionRequired())
		}
		return o
	}).needing(v)
}

// judgeGrown judges the size of a volume that has grown, and records it.
func (s *sequence) judgeGrown(o *outcome, v *volume, asked *csi.CapacityRange, got int64) {
	o.answered = fmt.Sprintf("OK, capacity_bytes %d", got)
	if got < asked.GetRequiredBytes() || v.told && got < v.bytes {
		o.wrong("CE-13", "capacity_bytes is the volume's size, at least %d", max(asked.GetRequiredBytes(), v.bytes))
	}
	if limit := asked.GetLimitBytes(); limit > 0 && got > limit && got > v.bytes {
		o.wrong("CR-05", "the volume grows to at most limit_bytes, %d", limit)
	}
	s.room.take(v.segments, got-v.bytes)
	if s.room.least(v.segments) < 0 { // a driver that may promise more than it has does not report how much more
		s.room.lose()
	}
	v.grown = v.grown || got > v.bytes
	v.bytes, v.told = got, true
}

// noteExpansion records the size before the volume grew, as long as its file system may have that size, and whether a node
// has to expand it.
func (v *volume) noteExpansion(before int64, required bool) {
	if v.bytes > before && v.ungrown == 0 {
		v.ungrown = before
	}
	v.alone = !required
}

// grown returns the size in bytes that the volume is to have.
func (s *sequence) grown(v *volume, size Size) int64 {
	unit := s.driver.Size()
	fitting := int64(0)
	if s.room.told && v.exists && s.room.knows(v.segments) {
		fitting = max(0, s.room.least(v.segments)/unit*unit)
	}
	switch size {
	case Unit:
		return v.bytes + unit
	case Double:
		return v.bytes + 2*unit
	case Odd:
		return v.bytes + unit/2 + 1
	case Fitting:
		return v.bytes + fitting
	case TooLarge:
		return v.bytes + fitting + unit
	default:
		return max(v.bytes, v.refused)
	}
}

// judgeGrowth judges whether the volume may grow to the given size in bytes. A range may contain no size that the
// driver makes, and a range with only limit_bytes need not change anything.
func (s *sequence) judgeGrowth(o *outcome, v *volume, bytes int64, asked *csi.CapacityRange, err error) {
	o.state = s.stateForGrowth(v)
	offline := len(v.nodes()) > 0 && !s.driver.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE)
	limited := asked.GetLimitBytes() > 0 && asked.GetLimitBytes() == bytes
	certain := s.room.told && !s.together && s.room.knows(v.segments)
	// If two rows hold, neither takes precedence.
	var beside []codes.Code
	switch {
	case v.exists && (!certain || bytes-v.bytes > s.room.least(v.segments)):
		beside = []codes.Code{codes.OutOfRange, codes.ResourceExhausted}
	case asked.GetLimitBytes() > 0 || bytes > min(s.room.largest, s.room.largestIn(v.segments)):
		beside = []codes.Code{codes.OutOfRange}
	}
	switch {
	case !v.exists:
		o.refused(err, "CE-17", "a volume that does not exist is NOT_FOUND", append(beside, codes.NotFound)...)
	case bytes <= v.bytes && offline:
		o.betterOK(err, "CE-02", "the volume has that size already", codes.FailedPrecondition)
	case offline && asked.GetRequiredBytes() > 0:
		o.refused(err, "CE-18", "a published volume is not expanded without VolumeExpansion ONLINE", append(beside, codes.FailedPrecondition)...)
	case asked.GetRequiredBytes() == 0:
		o.open()
	case bytes <= v.bytes:
		o.betterOK(err, "CE-03", "a volume that is large enough is OK")
	case !certain:
		o.betterOK(err, "CE-19", "the volume grows, or the size is refused", codes.OutOfRange, codes.ResourceExhausted)
	case bytes > s.room.largestIn(v.segments):
		o.betterOK(err, "CE-19", "the volume grows beyond the largest new one, or the size is refused", codes.OutOfRange, codes.ResourceExhausted)
	case bytes-v.bytes > s.room.least(v.segments):
		s.judgeWithoutRoom(o, err)
	case limited:
		o.betterOK(err, "CE-19", "the volume grows to a size in the range, or the driver has none", codes.OutOfRange)
	default:
		o.betterOK(err, "CE-19", "there is room for the volume to grow into")
	}
}

// judgeOnline records a fault if a growth was refused while a node had the volume, and is OK without a node. The growth of a
// volume that was copied, or has grown, may be refused for that reason.
func (s *sequence) judgeOnline(o *outcome, v *volume, bytes int64, err error) {
	switch used := len(v.nodes()) > 0; {
	case status.Code(err) == codes.FailedPrecondition && v.exists && used && !v.copied && !v.grown && s.driver.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE):
		v.refused = bytes
	case err == nil && !used && bytes > v.bytes && bytes <= v.refused:
		o.wrong("PC-07", "while a node had the volume, FAILED_PRECONDITION was answered to %d bytes, and the plugin claims VolumeExpansion ONLINE", v.refused)
	}
}

// judgeWithoutRoom judges a growth for which there is no room: any refusal is allowed.
func (s *sequence) judgeWithoutRoom(o *outcome, err error) {
	const why = "the volume cannot grow by more than what is available"
	if err == nil {
		o.refused(err, "CE-19", why, codes.OutOfRange, codes.ResourceExhausted)
		return
	}
	o.betterOK(err, "CE-19", why, codes.OutOfRange, codes.ResourceExhausted)
	o.allow("CE-19", why, []codes.Code{codes.OutOfRange, codes.ResourceExhausted})
}

func (s *sequence) stateForGrowth(v *volume) string {
	if !v.exists {
		return "the volume is deleted"
	}
	state := []string{fmt.Sprintf("the volume has %d bytes and is accessible from %s", v.bytes, v.segments)}
	if s.room.told && s.room.knows(v.segments) {
		state = append(state, fmt.Sprintf("there are %d bytes available in each of its segments", s.room.least(v.segments)))
	}
	if nodes := v.nodes(); len(nodes) > 0 {
		state = append(state, fmt.Sprintf("the volume is published to %s", nodes))
	}
	return strings.Join(state, "\n")
}
