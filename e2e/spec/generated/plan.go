package generated

// Move is the request that a step makes.
type Move int

const (
	// Create asks for a volume under the step's name, whether or not there is one of that name.
	Create Move = iota
	// Again repeats the last CreateVolume of that name as it was.
	Again
	// Delete deletes the volume, whether or not it is deleted already.
	Delete
	// Grow expands the volume.
	Grow
	// List lists all volumes.
	List
	// Publish publishes the volume to a node.
	Publish
	// Unpublish unpublishes it from a node, whether or not it is published there.
	Unpublish
)

// Size is what the size of a volume is measured by.
type Size int

const (
	// Unit is the size of the profile's volumes, and for Grow so much more.
	Unit Size = iota
	// Double is twice that.
	Double
	// Fitting is all the room that there is: in the step's segment, and for Grow in the segments of the volume.
	Fitting
	// TooLarge is a unit more than that.
	TooLarge
	// Present is the size that the volume has, for Grow only.
	Present
)

// Step is one request of a plan. Names, segments and nodes are numbers and sizes are relative, so that a step means
// something whatever steps went before it, and the same for any driver.
type Step struct {
	Move Move
	// Name is the number of the volume's name.
	Name int
	// X is the number of segments that the volume is accessible from.
	X    int
	Size Size
	// Requisite and Preferred are segments, in the order of the request.
	Requisite, Preferred []int
	// Segment is the one by whose room the size is.
	Segment int
	// Node is the one to publish to, those first from which the volume is accessible.
	Node int
}

// Shape is what a plan for a driver may have.
type Shape struct {
	// Segments is how many there are to ask for; 0 for a driver without topology, whose volumes are all in one place.
	Segments int
	// Kinds are the numbers of segments that its volumes may be accessible from.
	Kinds []int
	// Nodes is how many there are to publish to, none where the controller does not publish.
	Nodes int
	// Room says that the room in segments is known, so that sizes may be measured by it.
	Room bool
	// Grow and List say that the driver has these calls.
	Grow, List bool
}

// places are the segments, or the one place of a driver without topology.
func (s Shape) places() int {
	return max(s.Segments, 1)
}
