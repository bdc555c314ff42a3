// SPDX-License-Identifier: Apache-2.0

// Package sanity runs csi-sanity, the suite of the CSI project, against the driver: on the endpoint of every zone, with
// every kind of volume. It contains only tests. The ones with volumes on disk need root and loop devices.
package sanity
