// SPDX-License-Identifier: Apache-2.0

// Package whole contains the cases about a run as a whole: findings about the driver that belong to no single case. They run
// after all others, and report their findings even if they were not selected.
package whole
