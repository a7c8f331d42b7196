package memory

import (
	"testing"

	"postern/internal/fence"
	"postern/internal/fence/fencetest"
)

func TestSuite(t *testing.T) {
	fencetest.Run(t, func(*testing.T) fence.Fence { return New(8, 32) })
}
