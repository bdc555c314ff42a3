// SPDX-License-Identifier: Apache-2.0

package deployed

// leaders change the flags of the sidecars that cases start in two pods.
func leaders() []Policy {
	deposed := []string{"sidecar_deposed_attacher", "sidecar_deposed_resizer", "sidecar_deposed_snapshotter"}
	flagged := func(id, text, flag string) Policy {
		return Policy{ID: id, Text: text, When: `request.operation == 'CREATE' && object.metadata.name == 'sidecar'`,
			Patch:   `[JSONPatch{op: "add", path: "/spec/template/spec/containers/0/args/-", value: "` + flag + `"}]`,
			Clauses: "K8S-R3", Caught: deposed}
	}
	return Policy{Group: "apps", Version: "v1", Resource: "deployments"}.each([]Policy{
		flagged("leads_always", "runs sidecars that work also where another leads", "--leader-election=false"),
		flagged("leads_forever", "runs sidecars that wait for an hour before they lead in place of one that is gone", "--leader-election-lease-duration=1h"),
	})
}
