package rank

import "github.com/haversack-dev/haversack/internal/language"

// tongues are the commonest words, of three letters of ASCII or more, of languages in which people write tasks: beside names of code, which are
// English, they say nothing, and some are names themselves (die, par, dos).
var tongues = []map[string]bool{
	language.WordSet(`der die das den dem des und ist nicht wenn ich ein eine einen einer einem eines mit auf von vom bei beim wird werden wurde wie auch aber oder
		sich sind war hat habe haben kann noch nur nach aus zum zur dass als man wir sie ihr mir mich uns kein keine keinen mehr schon hier dann sollte bitte danke hallo immer`),
	language.WordSet(`les des une est dans pour pas que qui sur avec par plus sont cette ces mais nous vous fait quand lorsque comme tout tous sans aux ont elle ils
		leur donc alors depuis aussi bonjour merci quel quelle peut mon ton son`),
	language.WordSet(`los las una del por para con que como cuando pero este esta esto son hay muy sin sobre desde donde porque todos todas puede ser fue ahora mismo cada
		hola gracias ese esa eso sus`),
	language.WordSet(`uma para com que por mas como quando dos das nos nas esse essa isso este esta mais muito sem pelo pela seu sua obrigado foi tem ser`),
	language.WordSet(`non una per con che come quando sono della delle degli dei del nel nella questo questa anche senza dal dalla ciao grazie gli alla`),
	language.WordSet(`het een niet van voor met zijn wordt worden als maar ook naar door deze dit geen kan bij heb aan dat wel hoe`),
}

// tongueCodes are the codes of the tongues, in their order.
var tongueCodes = []string{"de", "fr", "es", "pt", "it", "nl"}

// english are words of that kind that other tongues do not have.
var english = language.WordSet(`the and that with this when for not are from have but you was should would there`)

// leastTongue is how many different words of a tongue a text has at least that is written in it.
const leastTongue = 3

// tongueOf returns the code of the tongue of a text, and the words that say nothing in it; nil for English.
func tongueOf(text []byte) (code string, idle map[string]bool) {
	said := map[string]bool{}
	eachWord(text, func(word []byte, _ int) { said[lower(word)] = true })
	count := func(words map[string]bool) (n int) {
		for w := range words {
			if said[w] {
				n++
			}
		}
		return n
	}
	most := max(leastTongue-1, count(english))
	for i, words := range tongues {
		if n := count(words); n > most {
			code, idle, most = tongueCodes[i], words, n
		}
	}
	return code, idle
}
