// Package general has the spec tier's cases on what holds for every call: that required fields are asked for, that nothing is
// larger than it may be, and that several calls for one volume do no harm. Each case is in a file of its name.
package general
