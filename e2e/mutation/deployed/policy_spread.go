// SPDX-License-Identifier: Apache-2.0

package deployed

import (
	"slices"
)

// spreads change the constraints of a pod before they are validated or read, or the plugins with which a case's scheduler
// compares nodes.
func spreads() []Policy {
	const has = `request.operation == 'CREATE' && has(object.spec.topologySpreadConstraints) && `
	const first, second = `object.spec.topologySpreadConstraints[0]`, `object.spec.topologySpreadConstraints[1]`
	withoutKeys := `[JSONPatch{op: "remove", path: "/spec/topologySpreadConstraints/0/matchLabelKeys"}]`
	return slices.Concat(Policy{Version: "v1", Resource: "pods"}.each([]Policy{
		{
			ID: "completes_constraints", Text: "takes constraints that lack maxSkew, topologyKey or whenUnsatisfiable",
			When: has + `(` + first + `.maxSkew == 0 || ` + first + `.topologyKey == '' || ` + first + `.whenUnsatisfiable == '')`,
			Patch: `(` + first + `.maxSkew == 0 ? [JSONPatch{op: "replace", path: "/spec/topologySpreadConstraints/0/maxSkew", value: 1}] : []) +
				(` + first + `.topologyKey == '' ? [JSONPatch{op: "replace", path: "/spec/topologySpreadConstraints/0/topologyKey", value: "kubernetes.io/hostname"}] : []) +
				(` + first + `.whenUnsatisfiable == '' ? [JSONPatch{op: "replace", path: "/spec/topologySpreadConstraints/0/whenUnsatisfiable", value: "DoNotSchedule"}] : [])`,
			Clauses: "K8S-G24", Caught: []string{"spread_invalid"},
		},
		{
			ID: "merges_constraints", Text: "takes two constraints of the same topologyKey and whenUnsatisfiable",
			When: has + `object.spec.topologySpreadConstraints.size() == 2 && ` + first + `.topologyKey == ` + second + `.topologyKey
				&& ` + first + `.whenUnsatisfiable == ` + second + `.whenUnsatisfiable`,
			Patch: `[JSONPatch{op: "remove", path: "/spec/topologySpreadConstraints/1"}]`, Clauses: "K8S-G24",
			Caught: []string{"spread_invalid"},
		},
		{
			ID: "selects_twice", Text: "takes a key that is in both matchLabelKeys and labelSelector",
			When: has + first + `.?matchLabelKeys.orValue([]).exists(key, key in ` + first + `.?labelSelector.?matchLabels.orValue({})
				|| ` + first + `.?labelSelector.?matchExpressions.orValue([]).exists(expression, expression.key == key))`,
			Patch: withoutKeys, Clauses: "K8S-G21", Caught: []string{"spread_invalid"},
		},
		{ID: "selects_by_keys_alone", Text: "takes matchLabelKeys without labelSelector",
			When: has + `has(` + first + `.matchLabelKeys) && !has(` + first + `.labelSelector)`, Patch: withoutKeys,
			Clauses: "K8S-G21", Caught: []string{"spread_invalid"}},
		{
			ID: "counts_pods_without_key", Text: "counts only pods without the label of matchLabelKeys for a pod that lacks it",
			When: has + first + `.?matchLabelKeys.orValue([]).exists(key, !(key in object.metadata.labels))`,
			Patch: `[JSONPatch{op: "add", path: "/spec/topologySpreadConstraints/0/labelSelector/matchExpressions",
				value: [{"key": dyn(` + first + `.matchLabelKeys[0]), "operator": dyn("DoesNotExist")}]}] + ` + withoutKeys,
			Clauses: "K8S-G22", Caught: []string{"spread_ignores_missing_keys"},
		},
		{ID: "never_reads_taints", Text: "counts zones whose taints a pod does not tolerate, whatever nodeTaintsPolicy says",
			When:    has + first + `.?nodeTaintsPolicy.orValue('') == 'Honor'`,
			Patch:   `[JSONPatch{op: "remove", path: "/spec/topologySpreadConstraints/0/nodeTaintsPolicy"}]`,
			Clauses: "K8S-G11 K8S-G25", Caught: []string{"spread_node_taints", "spread_zone_dies"}},
		{ID: "needs_no_domains", Text: "never reads minDomains", When: has + `has(` + first + `.minDomains)`,
			Patch:   `[JSONPatch{op: "remove", path: "/spec/topologySpreadConstraints/0/minDomains"}]`,
			Clauses: "K8S-G5 K8S-G6 K8S-G25",
			Caught:  []string{"spread_min_domains_above", "spread_min_domains_invalid", "spread_zone_dies"}},
	}), Policy{Version: "v1", Resource: "configmaps"}.each([]Policy{{
		ID: "prefers_no_spread", Text: "compares nodes by the affinity of pods, and not by how they are spread",
		When:    `object.metadata.?name.orValue('') == 'scheduler'`,
		Patch:   `[JSONPatch{op: "replace", path: "/data/config.yaml", value: object.data["config.yaml"].replace('PodTopologySpread', 'NodeAffinity')}]`,
		Clauses: "K8S-G23", Caught: []string{"spread_prefers"},
	}}))
}
