// SPDX-License-Identifier: Apache-2.0

// Package deployed has the wrong drivers that the cases of the cluster tier must catch: each is the right driver behind
// recording proxies that change its requests or answers. For the cases that grade the platform, there are wrong
// schedulers, and API servers that change objects. The package knows cases only by their ids.
//
// Some cases need none, because they warn about Kubernetes and its sidecars as they are: provision_empty_topology,
// scheduler_requeues_untracked, scheduler_scores_maximum_size, claim_deleted_while_created_killed and _again, and
// snapshot_deleted_while_created_several.
package deployed
