// Package node has the cases of the Node service: what NodeGetInfo says of a node, and how volumes are brought to its
// paths and taken away, once, again and wrongly. Growth on a node is another package's.
//
// A directory and its parents are the CO's to make, as the harness does. Of what is at a path the cases see no more than
// whether there is anything: they run where the nodes are not.
package node
