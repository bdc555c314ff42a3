// SPDX-License-Identifier: Apache-2.0

package requirement

// Lookup returns the level of a requirement and whom it grades; ok is false for an id that the register does not hold.
func Lookup(id string) (level, grades string, ok bool) {
	found, ok := ByID(id)
	return string(found.Level), string(found.Grades), ok
}
