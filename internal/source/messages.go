package source

import "github.com/haversack-dev/haversack/internal/language"

// messageForms are how the code of a language says by name which messages it answers, other than requests by path: events of a socket, calls
// from another process or from a page, topics and queues. Of Socket.IO, Electron and NestJS; python-socketio; Spring's listeners of Kafka,
// RabbitMQ, JMS, SQS and STOMP; Azure Functions; Tauri; Phoenix's channels and live views; NATS.
var messageForms = map[string]nameForm{
	"JavaScript": scriptMessages,
	"TypeScript": scriptMessages,
	"Python":     formOf(`@(?:\w+\.)*(?:sio|socketio|socket)\.(?:on|event)\(\s*["']([\w:./-]+)["']`, "sio.", "socketio.", "socket."),
	"Java":       jvmMessages,
	"Kotlin":     jvmMessages,
	"C#":         formOf(`\[(?:Queue|ServiceBus|EventHub|Blob|Timer)Trigger\(\s*"([^"\n]+)"|\[Function\(\s*"([^"\n]+)"`, "Trigger(", "[Function("),
	"Rust":       formOf(`#\[(?:tauri::)?command(?:\([^\]]*\))?\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))? +)?(?:async +)?fn +(\w+)`, "command]", "command("),
	"Elixir":     formOf(`\bdef +handle_(?:in|event)\(\s*"([^"\n]+)"`, "handle_in(", "handle_event("),
	"Go":         formOf(`\.(?:Queue)?Subscribe(?:Sync)?\(\s*"([\w.>*:/-]+)"`, "Subscribe(", "SubscribeSync("),
}

var (
	scriptMessages = formOf("\\b(?:[sS]ocket|io|client|conn(?:ection)?|channel)\\.on\\(\\s*[\"'`]([\\w:./-]+)[\"'`]\\s*,|\\bipcMain\\.(?:handle|on)(?:Once)?\\(\\s*[\"'`]([\\w:./-]+)[\"'`]"+
		"|@(?:SubscribeMessage|MessagePattern|EventPattern|OnEvent)\\(\\s*[\"'`]([^\"'`\\n]+)[\"'`]",
		".on(", "ipcMain.", "@SubscribeMessage(", "@MessagePattern(", "@EventPattern(", "@OnEvent(")
	jvmMessages = formOf(`@(?:KafkaListener|RabbitListener|JmsListener|SqsListener|MessageMapping)\((?:[^)"]*[={(,\s])?"([^"\n]+)"`, "Listener(", "@MessageMapping(")
)

// lifecycle are events of a connection itself, which no one sends by name.
var lifecycle = language.WordSet(`connection connect connected disconnect disconnecting disconnected error message messages open close closed data end finish ready drain timeout
	upgrade ping pong lookup abort aborted exit secureConnect session packet newListener unexpected-response request response reconnecting reconnect connect_error`)

// messagesOf returns the messages that a text answers, in its order.
func (l *Language) messagesOf(b []byte, held *pairs, partsOf func() []byte) (list []NameLine) {
	form, ok := messageForms[l.Name]
	if !ok || !held.anyOf(b, form.hints) {
		return nil
	}
	lines := &lineCounter{text: b}
	for _, m := range near(form.names, b, form.hints) {
		name := submatch(b, m)
		if partsOf()[m[0]] == inCode && !lifecycle[name] {
			list = append(list, NameLine{name, lines.at(m[0])})
		}
	}
	return list
}
