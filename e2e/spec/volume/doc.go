// Package volume has the spec tier's cases on CreateVolume, ControllerModifyVolume and DeleteVolume as far as topology does
// not matter: sizes, names, capabilities, what is told of a volume, and how it goes. Each case is in a file of its name.
package volume
