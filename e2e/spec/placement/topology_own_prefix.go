package placement

import (
	"context"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A prefix should tell whose keys they are: it has a word of the driver's name, by which other drivers keep off it.
func topologyOwnPrefix(s *harness.Suite) {
	labels := verdict.Case("topology_own_prefix", "TO-05")
	needs := harness.Needs{Segments: 1}
	s.Case("has a prefix of its own for the keys of its topologies", labels, needs, func(ctx context.Context, under *harness.Driver) {
		info := harness.Need(under.Identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}))
		for _, prefix := range under.Segments().Prefixes() {
			if !shareAWord(prefix, info.GetName()) {
				verdict.Warn("the prefix %q of topology keys has no word of the driver's name %q, and should include the plugin's or its company's (TO-05)",
					prefix, info.GetName())
			}
		}
	})
}

// shareAWord reports whether two domain names have a word in common that tells whose they are.
func shareAWord(prefix, name string) bool {
	words := strings.Split(name, ".")
	ofEverybody := func(word string) bool { return word == "csi" || word == "topology" }
	words = slices.DeleteFunc(words[:max(1, len(words)-1)], ofEverybody)
	for _, word := range strings.Split(prefix, ".") {
		if slices.Contains(words, word) {
			return true
		}
	}
	return false
}
