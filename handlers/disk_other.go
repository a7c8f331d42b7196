//go:build !linux && !darwin

package handlers

// diskSpace is not known here.
func diskSpace(string) (total, available int64, ok bool) { return 0, 0, false }
