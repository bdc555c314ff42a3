// Package attach has the cases of ControllerPublishVolume, ControllerUnpublishVolume and ValidateVolumeCapabilities: which
// node may have which volume, when another one may have it, and what becomes of what is asked wrongly. They need no node
// that stages anything: the nodes' endpoints only tell which nodes there are, and where.
package attach
