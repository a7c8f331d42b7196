package bytesize

import "testing"

func TestText(t *testing.T) {
	for n, want := range map[int64]string{0: "0b", 227: "227b", 1023: "1023b", 1024: "1kb", 1279: "1.2kb", 1075: "1kb", 104857600: "100mb", 1<<30 + 1<<29: "1.5gb", 5 << 50: "5pb", 5000 << 50: "5000pb"} {
		if got := Text(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
	if got := In(1<<20+5, "kb"); got != "1024" {
		t.Error(got)
	}
}
