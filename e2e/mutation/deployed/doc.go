// SPDX-License-Identifier: Apache-2.0

// Package deployed has the wrong drivers by which the cases of the cluster tier are shown to fail: each is the right driver
// behind recording proxies that change what is asked of it or what it answers. Beside them, for the cases that grade the
// platform, are wrong schedulers, and API servers that change objects. It knows the cases by
// their ids alone.
//
// Some cases need none, as they warn of Kubernetes and its sidecars as these are: provision_empty_topology,
// scheduler_requeues_untracked, scheduler_scores_maximum_size, claim_deleted_while_created_killed and _again, and
// snapshot_deleted_while_created_several.
package deployed
