// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// capacityOf returns the capacity that the pools make, and what is wrong with them.
func capacityOf(pools []Pool, written *yaml.Node) (pool.Capacity, []string) {
	if len(pools) == 0 {
		return pool.Capacity{}, []string{at(lineOf(written), "pools are missing: want at least one, such as - capacity: 10Gi")}
	}
	var capacity pool.Capacity
	var problems []string
	for i, p := range pools {
		here := item(written, i)
		for _, key := range slices.Sorted(maps.Keys(p.Segment)) {
			if !isTopologyKey(key) || p.Segment[key] == "" {
				problems = append(problems, at(lineOf(child(here, "segment"), here), "pools[%d].segment has %q: %q, want a value for one of the keys %s",
					i, key, p.Segment[key], strings.Join(topologyKeys(), ", ")))
			}
		}
		size, err := bytesOf(p.Capacity)
		if err != nil {
			problems = append(problems, at(lineOf(child(here, "capacity"), here), "pools[%d].capacity is %q: %v", i, p.Capacity, err))
		}
		if j, hidden := behind(p, capacity.Pools); hidden {
			problems = append(problems, at(lineOf(here),
				"pools[%d] is never used: pools[%d] of its class has every segment that it has, want the narrower one first and each only once", i, j))
		}
		capacity.Pools = append(capacity.Pools, pool.Pool{Class: p.Class, Matching: p.Segment, Bytes: size})
	}
	return capacity, problems
}

// behind tells which of the earlier pools is tried, and found to match, before p
// wherever p would.
func behind(p Pool, earlier []pool.Pool) (int, bool) {
	for i, e := range earlier {
		if e.Class == p.Class && topology.Segment(p.Segment).Matches(e.Matching) {
			return i, true
		}
	}
	return 0, false
}

func bytesOf(quantity string) (int64, error) {
	parsed, err := resource.ParseQuantity(quantity)
	if err != nil || parsed.Sign() < 0 || parsed.CmpInt64(math.MaxInt64) >= 0 { // what is more is parsed as that
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
