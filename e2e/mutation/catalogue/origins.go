// SPDX-License-Identifier: Apache-2.0

package catalogue

// origins are, by the ids of drivers of the catalogue, the real ones that do the same: with the version or commit that was
// run or read, or the issue that reports it.
func origins() map[string]string {
	return map[string]string{
		"attach/publish-context-changes":                                                                       "ibm-vpc-block-csi-driver eb450134",
		"attach/unpublishes-from-all-nodes-whichever-is-named":                                                 "scaleway-csi v0.3.6",
		"attach/unpublishes-from-the-node-that-is-named-only":                                                  "scaleway-csi v0.3.6, csi-digitalocean 0711283d, ibm-vpc-block-csi-driver eb450134",
		"attach/unavailable-while-the-volume-is-published-to-another-node":                                     "civo-csi 37312dc",
		"capacity/goes-negative-after-growth":                                                                  "csi-driver-host-path v1.18.0",
		"capacity/ignores-accessible-topology":                                                                 "csi-driver-host-path v1.18.0",
		"general/leaves-what-was-cut-short-pending":                                                            "aws-fsx-csi-driver issue 369, ceph-csi issue 1062",
		"growth/ignores-limit-bytes":                                                                           "csi-driver-host-path v1.18.0",
		"growth/on-the-node-says-ok-and-does-nothing":                                                          "csi-driver-host-path v1.18.0",
		"listing/gets-what-never-was":                                                                          "csi-driver-host-path v1.18.0",
		"listing/has-no-next-token":                                                                            "csi-driver-host-path v1.18.0",
		"listing/ignores-max-entries":                                                                          "csi-cloudscale 5434e1b",
		"listing/its-process-ends-with-a-number-as-token":                                                      "csi-driver-host-path v1.18.0",
		"listing/page-2-is-empty":                                                                              "csi-driver-host-path",
		"listing/the-last-entry-of-a-page-is-passed-over":                                                      "csi-digitalocean 0711283d",
		"node/does-not-stage-for-readers":                                                                      "exoscale-csi-driver v0.34.3",
		"node/max-volumes-per-node-changes":                                                                    "csi-driver-host-path",
		"node/not-found-for-a-volume-that-is-already-unstaged-or-unpublished":                                  "scaleway-csi v0.3.6",
		"node/removes-the-volume-in-nodeunpublishvolume":                                                       "csi-driver-lvm 14db8f3",
		"node/stats-of-any-directory":                                                                          "cinder-csi-plugin c453fb7c9",
		"placement/a-repeated-name-answers-with-another-segment":                                               "topolvm 83e3dcee",
		"placement/answers-without-accessible-topology":                                                        "csi-digitalocean 0711283d",
		"placement/ignores-requisite-always-the-first-segment":                                                 "csi-driver-host-path v1.18.0",
		"placement/internal-when-full":                                                                         "external-provisioner issue 697",
		"placement/knows-a-name-again-only-with-the-same-requirement":                                          "scaleway-csi v0.3.6",
		"placement/passes-over-requisite-topologies-that-it-does-not-know-even-if-it-needs-them":               "scaleway-csi v0.3.6",
		"placement/places-outside-requisite-when-it-is-full":                                                   "aws-ebs-csi-driver issue 412, external-provisioner issue 221",
		"placement/reads-the-first-of-preferred-alone-and-takes-its-own-location-where-a-key-is-missing-there": "hetznercloud csi-driver issue 1428",
		"placement/reads-preferred-only":                                                                       "vsphere-csi-driver",
		"placement/takes-one-topology-only":                                                                    "cloudstack-csi-driver 3c9de10",
		"placement/tries-only-the-first-x-of-requisite":                                                        "topolvm 83e3dcee, cinder-csi-plugin c453fb7c9",
		"restart/a-kill-in-the-middle-of-a-write-loses-all-records":                                            "csi-driver-host-path",
		"restart/restores-nothing-when-a-restore-was-killed-half-way-and-is-repeated":                          "csi-driver-host-path",
		"source/a-name-has-its-volume-whatever-the-source":                                                     "csi-driver-host-path v1.18.0, scaleway-csi v0.3.6",
		"source/a-repeated-copy-is-already-exists":                                                             "csi-driver-host-path v1.18.0",
		"source/deletes-what-a-snapshot-id-leads-to-as-a-path":                                                 "csi-driver-host-path issue 644, CVE-2026-3864, CVE-2026-3865",
		"whole/ends-at-listvolumes-once-there-is-a-volume-and-is-started-again":                                "hetznercloud csi-driver 53ead0b",
		"whole/listsnapshots-has-the-next-token-0-for-ever":                                                    "upcloud-csi 705a0d3",
		"whole/listvolumes-has-the-next-token-0-for-ever":                                                      "upcloud-csi 705a0d3",
		"volume/deletes-what-a-volume-id-leads-to-as-a-path":                                                   "csi-driver-host-path issue 644, CVE-2026-3864, CVE-2026-3865",
		"volume/makes-volumes-larger-than-limit-bytes":                                                         "cinder-csi-plugin c453fb7c9",
		"volume/overflows-when-it-rounds-up":                                                                   "topolvm 83e3dcee",
		"volume/rounds-sizes-down":                                                                             "csi-digitalocean 0711283d",
	}
}
