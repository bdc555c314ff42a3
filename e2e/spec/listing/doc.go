// SPDX-License-Identifier: Apache-2.0

// Package listing contains the spec tier's cases about a driver's reports about its volumes: ListVolumes with its pages,
// ControllerGetVolume, and the health of volumes.
package listing
