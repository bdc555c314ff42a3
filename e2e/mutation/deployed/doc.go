// SPDX-License-Identifier: Apache-2.0

// Package deployed has the wrong drivers by which the cases of the cluster tier are shown to fail: each is the right driver
// behind recording proxies that change what is asked of it or what it answers. Beside them, for the cases that grade the
// platform, are wrong schedulers, and API servers that change objects. It knows the cases by
// their ids alone.
//
// Three cases need none, as they warn of Kubernetes 1.36 and 1.37 and of csi-provisioner 6.3 and 6.4 as these are: provision_empty_topology,
// scheduler_requeues_untracked and scheduler_scores_maximum_size.
package deployed
