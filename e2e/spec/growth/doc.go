// Package growth has the spec tier's cases on ControllerExpandVolume and NodeExpandVolume: to which sizes a volume grows,
// what that takes of its segments' capacity, and what is refused without anything having changed. A volume never shrinks.
package growth
