// Package sanity runs csi-sanity, the suite of the CSI project, inside the spec tier: once for each segment, with that
// segment in every request that has a field for topology, so that it works on drivers of many zones. Its cases verify no
// clause of the register; they are what vendors know already, in the same report.
package sanity
