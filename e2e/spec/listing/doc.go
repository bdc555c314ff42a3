// Package listing has the spec tier's cases on what a driver tells of the volumes that there are: ListVolumes with its
// pages, ControllerGetVolume, and the health of volumes.
package listing
