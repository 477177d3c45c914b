package typescript

import "strings"

// builtins are the modules of Node.js, of any version: names that mean the
// platform with and without "node:".
var builtins = set(`
_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server
_stream_duplex _stream_passthrough _stream_readable _stream_transform _stream_wrap _stream_writable
_tls_common _tls_wrap
assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram
diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector
inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring
readline readline/promises repl stream stream/consumers stream/promises stream/web string_decoder sys
timers timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib`)

// prefixed are those that mean the platform only with "node:".
var prefixed = set(`quic sea sqlite test test/reporters`)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}

// builtin returns the node id of a module of the platform.
func builtin(name string) (id string, ok bool) {
	bare, isPrefixed := strings.CutPrefix(name, "node:")
	if builtins[bare] || isPrefixed && prefixed[bare] {
		return "node:" + bare, true
	}
	return "", false
}
