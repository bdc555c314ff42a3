// SPDX-License-Identifier: Apache-2.0

// Package describe describes requests, answers and their messages in words.
package describe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// Status describes the status of a call in one line.
func Status(err error) string {
	if err == nil {
		return model.CodeName(codes.OK)
	}
	failed := status.Convert(err)
	return fmt.Sprintf("%s: %q", model.CodeName(failed.Code()), failed.Message())
}

// Map formats a map of a message, such as parameters or a volume_context, for people.
func Map(m map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		pairs = append(pairs, key+"="+m[key])
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// Capability describes how a volume is to be used.
func Capability(capability *csi.VolumeCapability) string {
	kind := "mount"
	switch {
	case capability.GetBlock() != nil:
		kind = "block"
	case capability.GetMount() == nil:
		kind = "without access_type"
	case capability.GetMount().GetFsType() != "":
		kind += " of fs_type " + capability.GetMount().GetFsType()
	}
	return fmt.Sprintf("%s %s", capability.GetAccessMode().GetMode(), kind)
}

// Capabilities describes how a volume is to be used, in each of several ways.
func Capabilities(capabilities []*csi.VolumeCapability) string {
	texts := make([]string, 0, len(capabilities))
	for _, capability := range capabilities {
		texts = append(texts, Capability(capability))
	}
	return strings.Join(texts, " and ")
}

// Range describes what a capacity_range asks for.
func Range(asked *csi.CapacityRange) string {
	if asked == nil {
		return "no capacity_range"
	}
	var fields []string
	if bytes := asked.GetRequiredBytes(); bytes != 0 {
		fields = append(fields, fmt.Sprintf("required_bytes %d", bytes))
	}
	if bytes := asked.GetLimitBytes(); bytes != 0 {
		fields = append(fields, fmt.Sprintf("limit_bytes %d", bytes))
	}
	if len(fields) == 0 {
		return "an empty capacity_range"
	}
	return strings.Join(fields, " and ")
}

// Lines puts each sentence on a separate, indented line.
func Lines(sentences []string) string {
	return "    " + strings.Join(sentences, "\n    ")
}
