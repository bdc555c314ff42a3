// SPDX-License-Identifier: Apache-2.0

package deployed

// block returns drivers that are wrong about raw block volumes, or about the contents
// of volumes.
func block() []Driver {
	return []Driver{
		{ID: "publishes_nothing", Text: "answers OK to NodePublishVolume, and puts nothing at target_path",
			Rules: node(instead("NodePublishVolume", `{}`)), Clauses: "NS-19 TR-01 VOL-16 K8S-M1 CU-03 K8S-M2",
			Caught: []string{"block_each_zone", "block_moves_within_zone"}},
		{ID: "stays_published", Text: "answers OK to NodeUnpublishVolume and NodeUnstageVolume, and leaves the volume there",
			Rules:   node(instead("NodeUnpublishVolume", `{}`), instead("NodeUnstageVolume", `{}`)),
			Clauses: "CU-10 K8S-M2 K8S-I7", Caught: []string{"block_detached_after_pod"}},
		{ID: "refuses_stats", Text: "claims GET_VOLUME_STATS, and refuses NodeGetVolumeStats",
			Rules: node(refusing("NodeGetVolumeStats", "INTERNAL")), Clauses: "NV-01 NV-02 NV-03 K8S-K1 K8S-K2",
			Caught: []string{"metrics_of_volume", "metrics_of_block_volume"}},
		{ID: "stats_without_total", Text: "answers usage without a total",
			Rules:   node(answering("NodeGetVolumeStats", `{"usage": [{"unit": "BYTES", "used": "1"}]}`)),
			Clauses: "NV-01 NV-02 NV-03 K8S-K1", Caught: []string{"metrics_of_volume"}},
		{ID: "stats_of_another_volume", Text: "answers the same usage whatever the volume holds",
			Rules:   node(answering("NodeGetVolumeStats", `{"usage": [{"unit": "BYTES", "total": "4096", "used": "1024", "available": "3072"}]}`)),
			Clauses: "NV-01 NV-02 NV-03 K8S-K1 K8S-K2", Caught: []string{"metrics_of_volume", "metrics_of_block_volume"}},
	}
}
