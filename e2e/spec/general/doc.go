// SPDX-License-Identifier: Apache-2.0

// Package general has the spec tier's cases on what holds for every call: that REQUIRED fields are looked for, that strings
// and maps keep their limits of size, and that calls at once, or cut short and repeated, are done once.
package general
