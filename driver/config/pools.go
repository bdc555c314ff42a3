// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// capacityOf returns the capacity of the pools, and their errors.
func capacityOf(pools []Pool, path *field.Path) (pool.Capacity, field.ErrorList) {
	if len(pools) == 0 {
		return pool.Capacity{}, field.ErrorList{field.Required(path, "want at least one, such as - capacity: 10Gi")}
	}
	var capacity pool.Capacity
	var problems field.ErrorList
	for i, p := range pools {
		at := path.Index(i)
		for _, key := range slices.Sorted(maps.Keys(p.Segment)) {
			if !isTopologyKey(key) || p.Segment[key] == "" {
				problems = append(problems, field.Invalid(at.Child("segment").Key(key), p.Segment[key], "want a value for one of the keys "+strings.Join(topologyKeys(), ", ")))
			}
		}
		size, err := bytesOf(p.Capacity)
		if err != nil {
			problems = append(problems, field.Invalid(at.Child("capacity"), p.Capacity, err.Error()))
		}
		if j, hidden := findShadowing(p, capacity.Pools); hidden {
			problems = append(problems, field.Forbidden(at, fmt.Sprintf("it is never used: %s of its class has every segment that it has, want the narrower one first and each only once", path.Index(j))))
		}
		capacity.Pools = append(capacity.Pools, pool.Pool{Class: p.Class, Matching: p.Segment, Bytes: size})
	}
	return capacity, problems
}

// findShadowing returns the index of an earlier pool that matches wherever p does, so that p is never used, and whether
// there is one.
func findShadowing(p Pool, earlier []pool.Pool) (int, bool) {
	for i, e := range earlier {
		if e.Class == p.Class && topology.Segment(p.Segment).Matches(e.Matching) {
			return i, true
		}
	}
	return 0, false
}

func bytesOf(quantity string) (int64, error) {
	parsed, err := resource.ParseQuantity(quantity)
	if err != nil || parsed.Sign() < 0 || parsed.CmpInt64(math.MaxInt64) >= 0 { // larger quantities are parsed as MaxInt64
		return 0, errors.New("want a quantity of bytes from 0 to less than 8Ei, such as 10Gi")
	}
	return parsed.Value(), nil
}

func topologyKeys() []string {
	return []string{topology.RegionKey, topology.ZoneKey, topology.NodeKey}
}

// isTopologyKey compares as segments do, without regard to case (TO-07).
func isTopologyKey(key string) bool {
	return slices.ContainsFunc(topologyKeys(), func(known string) bool { return strings.EqualFold(known, key) })
}
