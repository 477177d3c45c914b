package job

import "testing"

// TestOnMount reads a list as a container has it.
func TestOnMount(t *testing.T) {
	const list = `700 600 0:50 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/a
701 700 0:53 / /proc rw,nosuid - proc proc rw
702 700 0:54 / /dev rw,nosuid - tmpfs tmpfs rw
703 700 0:55 / /tmp rw - tmpfs tmpfs rw
704 700 8:1 /home/w /work/my\040files rw,relatime - ext4 /dev/sda1 rw
705 700 8:1 /o /tmp/out rw,relatime - ext4 /dev/sda1 rw
short line
`
	for dir, want := range map[string]bool{
		"/etc/x": false, "/": false, "/tmp/x": false, "/proc/1": false, "/work/my files/a": true, "/work/my files": true,
		"/work/my": false, "/tmp/out": true, "/tmp/out/ctx": true, "/tmp/outer": false,
	} {
		if got := onMount(list, dir); got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
	if onMount("", "/x") {
		t.Error("nothing is mounted, and something is kept")
	}
}
