//go:build linux || darwin

package handlers

import "syscall"

// diskSpace is the size of the file system that holds a folder.
func diskSpace(path string) (total, available int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, 0, false
	}
	block := int64(s.Bsize)
	return int64(s.Blocks) * block, int64(s.Bavail) * block, true
}
