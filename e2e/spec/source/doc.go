// Package source has the spec tier's cases on snapshots and on volumes that are made from something: from a snapshot, or
// as the clone of a volume. Where such a volume can be depends on where its source is, and where a snapshot can be used
// on where its volume is; version 1.13 of the specification lets a CO ask for the latter.
package source
