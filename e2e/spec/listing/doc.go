// SPDX-License-Identifier: Apache-2.0

// Package listing has the spec tier's cases about what a driver reports about its volumes: ListVolumes with
// its pages, ControllerGetVolume, and the health of volumes.
package listing
