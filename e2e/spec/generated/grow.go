package generated

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

// grow expands a volume. Whether it must succeed where there is room the specification does not say, but where there is
// none it must not.
func (s *sequence) grow(ctx context.Context, v *volume, size Size) outcome {
	bytes := s.grown(v, size)
	response, err := s.under.Controller.ControllerExpandVolume(ctx, s.under.ControllerExpandVolumeRequest(v.message(), bytes))
	o := outcomeOf(fmt.Sprintf("ControllerExpandVolume of %s to %d bytes", v.name, bytes), err)
	s.judgeGrowth(&o, v, bytes, err)
	if err != nil || !v.exists {
		return o
	}
	got := response.GetCapacityBytes()
	o.answered = fmt.Sprintf("OK, capacity_bytes %d", got)
	o.wrong(got < bytes, "CE-13", fmt.Sprintf("capacity_bytes is the volume's size, at least %d", bytes))
	s.room.take(v.segments, got-v.bytes)
	if s.room.least(v.segments) < 0 { // a driver that may promise more than it has does not say how much more
		s.room.lose()
	}
	v.bytes = got
	return o
}

// grown is the size in bytes that the volume is to have.
func (s *sequence) grown(v *volume, size Size) int64 {
	unit := s.under.Size()
	fitting := int64(0)
	if s.room.told && v.exists {
		fitting = s.room.least(v.segments) / unit * unit
	}
	switch size {
	case Unit:
		return v.bytes + unit
	case Double:
		return v.bytes + 2*unit
	case Fitting:
		return v.bytes + fitting
	case TooLarge:
		return v.bytes + fitting + unit
	default:
		return v.bytes
	}
}

func (s *sequence) judgeGrowth(o *outcome, v *volume, bytes int64, err error) {
	var state []string
	online := s.under.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE)
	if v.exists {
		state = append(state, fmt.Sprintf("the volume has %d bytes and is accessible from %s", v.bytes, v.segments))
	}
	if v.exists && s.room.told {
		state = append(state, fmt.Sprintf("there are %d bytes available in each of its segments", s.room.least(v.segments)))
	}
	if v.node != nil {
		state = append(state, "the volume is published to "+v.node.String())
	}
	o.state = strings.Join(state, "\n")
	switch {
	case !v.exists:
		o.state = "the volume is deleted"
		o.refusedWith(err, "CE-17", "a volume that does not exist is NOT_FOUND", codes.NotFound)
	case bytes <= v.bytes && v.node != nil && !online:
		o.either(err, "CE-02", "the volume has that size already", codes.FailedPrecondition)
	case bytes <= v.bytes:
		o.betterOK(err, "CE-03", "a volume that is large enough is OK")
	case v.node != nil && !online:
		o.refusedWith(err, "CE-18", "a published volume is not expanded without VolumeExpansion ONLINE", codes.FailedPrecondition)
	case !s.room.told:
		o.either(err, "CE-19", "the volume grows, or the size is refused", codes.OutOfRange, codes.ResourceExhausted)
	case bytes > s.room.largestIn(v.segments):
		o.either(err, "CE-19", "the volume grows beyond the largest new one, or the size is refused", codes.OutOfRange, codes.ResourceExhausted)
	case bytes-v.bytes > s.room.least(v.segments):
		o.refusedWith(err, "CE-19", "the volume cannot grow by more than what is available", codes.OutOfRange, codes.ResourceExhausted)
	default:
		o.betterOK(err, "CE-19", "there is room for the volume to grow into")
	}
}
