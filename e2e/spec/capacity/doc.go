// Package capacity has the spec tier's cases on GetCapacity: what it tells of a segment, of a kind of volume and of
// capabilities, how that follows what volumes take, and the largest and smallest volume, put to the test at their borders.
package capacity
