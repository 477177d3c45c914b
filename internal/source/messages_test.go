package source

import (
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// Messages are those that stand there by name, in code, and none of a connection's own events.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"server/quay.js", "io.on('connection', (socket) => {\n  socket.on(\"moor\", async (ship, done) => {})\n  socket.on(`cast-off`, cast)\n  socket.on('disconnect', () => {})\n  // socket.on('gone', x)\n  button.on('click', x)\n  socket.on('asked')\n})\n", "[{moor 2} {cast-off 3}]"},
		{"main/index.ts", "ipcMain.handle('rope:cut', cut)\nipcMain.on(\n  'tide', x)\nipcMain.on(name, x)\n", "[{rope:cut 1} {tide 2}]"},
		{"src/ships.gateway.ts", "class A {\n  @SubscribeMessage('ships')\n  ships() {}\n  @MessagePattern('tide.high')\n  high() {}\n  @MessagePattern({ cmd: 'sum' })\n  sum() {}\n}\n", "[{ships 2} {tide.high 4}]"},
		{"quay/live.py", "@sio.on('moor')\nasync def moor(sid): ...\n\n@self.socketio.on(\"cast\", namespace='/x')\ndef cast(): ...\n# @sio.on('gone')\n", "[{moor 1} {cast 4}]"},
		{"src/main/java/Quay.java", "class Quay {\n  @KafkaListener(topics = \"ships\", groupId = \"x\")\n  void a() {}\n  @RabbitListener(queues = {\"ropes\"})\n  void b() {}\n  @MessageMapping(\"/tide\")\n  void c() {}\n  @KafkaListener(topics = TOPIC)\n  void d() {}\n}\n", "[{ships 2} {ropes 4} {/tide 6}]"},
		{"Quay.cs", "class Quay {\n  [Function(\"Moor\")]\n  void A([QueueTrigger(\"ships\")] string s) {}\n}\n", "[{Moor 2} {ships 3}]"},
		{"src-tauri/src/lib.rs", "#[tauri::command]\nasync fn moor(ship: &str) {}\n\n#[tauri::command(rename_all = \"snake_case\")]\n#[specta::specta]\npub fn cast() {}\n", "[{moor 1} {cast 4}]"},
		{"lib/quay_web/channels/ship.ex", "def handle_in(\"moor\", %{}, socket) do\nend\ndef handle_event(\"cast\", _, socket), do: x\n", "[{moor 1} {cast 3}]"},
		{"quay.go", "package quay\n\nfunc f() {\n\tnc.Subscribe(\"ships.>\", g)\n\tnc.QueueSubscribe(\"tide\", \"q\", g)\n\tbus.Subscribe(topic, g)\n}\n", "[{ships.> 4} {tide 5}]"},
	} {
		f := &scan.File{Encoding: text.UTF8}
		f.Path = c.path
		f.Type, f.Category = scan.Classify(c.path)
		if got := fmt.Sprint(SurfaceOf(f, []byte(c.text)).Messages); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.path, got, c.want)
		}
	}
}
