// What the page says, in the languages of the box. What the display says comes from the box itself.

const seconds = (language, value) => value.toLocaleString(language, { maximumFractionDigits: 3 });

const en = {
  title: "The Ubongo box",
  players: { red: "Red", blue: "Blue", green: "Green", yellow: "Yellow" },
  button: (name, key) => `${name}, button ${key}`,
  gone: "The box does not answer. Is its program running, and the network there? This page comes back by itself.",
  crowd: "Too many pages show this box already. Close one: this page tries again by itself.",
  sound: { locked: "Tap for sound", on: "Sound on", muted: "Sound off" },
  help: "How to play",
  advice: [
    "A <b>glowing or blinking</b> button may be pressed. Keys <kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd> <kbd>4</kbd> are the four buttons, held as long as you hold them, and on a touch screen everybody can press at once.",
    "<b>Join</b>: press your button. <b>Start</b>: hold it for 1.5 seconds.",
    "<b>Solved?</b> Press: that is your “Ubongo!”. Pressed by mistake? Hold the button to take it back.",
    "<b>Gems</b>: press to draw. Hold any button to undo the last draw.",
    "<b>Hold any three buttons for 2 seconds</b>: menu, with pause, undo, rules, settings and the end of the match. There 1 is up, 2 down, 3 choose, 4 close.",
  ],
  scenes: {
    resume: "A match was cut off: press to go on, hold to give it up", lobby: "Who plays? Press to join, hold to start",
    youngest: "The youngest, press", ready: "Ready for the round", stacks: "Choose a stack", race: "The race is on",
    check: "Check each other’s boards", draw: "Draw a gem", scores: "The scores", playoff: "Playoff", final: "The final ranking",
    alone: "Playing alone", count: "Counting gems", menu: "Menu", settings: "Settings", rules: "Rules", history: "Past matches",
    paused: "Paused: press to go on", asleep: "Asleep: press to wake",
  },
  said: {
    joined: (p) => `${p} plays`, left: (p) => `${p} does not play`, youngest: (p) => `${p} begins`,
    rolled: (p, e) => `Rolled: ${{ shield: "shield", hand: "hand", gazelle: "gazelle", snake: "snake", elephant: "elephant", mask: "mask", red: "red", blue: "blue", green: "green" }[e.symbol] ?? e.symbol}`,
    claim: (p, e) => `${p} is number ${e.place}`, withdrawn: (p) => `${p} takes it back`,
    late: (p, e) => `${p}: ${seconds("en", e.by)} seconds too late`, stop: () => "Stop!", flip: (p, e) => (e.chance === 2 ? "Second chance" : "Go!"),
    gem: (p, e) => `${p}: ${{ ruby: "a ruby", sapphire: "a sapphire", emerald: "an emerald", amber: "an amber" }[e.gem]}`,
    points: (p, n) => `${p} ${n}`, undone: () => "Taken back", final: (names) => `Winner: ${names}`, notice: (p, e) => e.text,
  },
};

const fr = {
  title: "La boîte Ubongo",
  players: { red: "Rouge", blue: "Bleu", green: "Vert", yellow: "Jaune" },
  button: (name, key) => `${name}, bouton ${key}`,
  gone: "La boîte ne répond pas. Son programme tourne-t-il, le réseau est-il là ? Cette page revient d’elle-même.",
  crowd: "Trop de pages montrent déjà cette boîte. Fermez-en une : cette page réessaie d’elle-même.",
  sound: { locked: "Toucher pour le son", on: "Son activé", muted: "Son coupé" },
  help: "Comment jouer",
  advice: [
    "Un bouton <b>allumé ou clignotant</b> peut être pressé. Les touches <kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd> <kbd>4</kbd> sont les quatre boutons, tenus tant que vous les tenez ; sur un écran tactile, tous peuvent appuyer en même temps.",
    "<b>Participer</b> : pressez votre bouton. <b>Commencer</b> : tenez-le 1,5 seconde.",
    "<b>Résolu ?</b> Pressez : c’est votre « Ubongo ! ». Pressé par erreur ? Tenez le bouton pour vous reprendre.",
    "<b>Gemmes</b> : pressez pour piocher. Tenez un bouton pour annuler la dernière pioche.",
    "<b>Tenez trois boutons 2 secondes</b> : menu, avec pause, annuler, règles, réglages et fin de partie. Là, 1 monte, 2 descend, 3 choisit, 4 ferme.",
  ],
  scenes: {
    resume: "Une partie a été interrompue : pressez pour continuer, tenez pour l’abandonner", lobby: "Qui joue ? Pressez pour participer, tenez pour commencer",
    youngest: "Le plus jeune, pressez", ready: "Prêts pour la manche", stacks: "Choisissez une pile", race: "La course est lancée",
    check: "Vérifiez les plateaux", draw: "Piochez une gemme", scores: "Les scores", playoff: "Départage", final: "Le classement final",
    alone: "Jouer seul", count: "Compter les gemmes", menu: "Menu", settings: "Réglages", rules: "Règles", history: "Parties passées",
    paused: "En pause : pressez pour continuer", asleep: "En veille : pressez pour réveiller",
  },
  said: {
    joined: (p) => `${p} joue`, left: (p) => `${p} ne joue pas`, youngest: (p) => `${p} commence`,
    rolled: (p, e) => `Dé : ${{ shield: "bouclier", hand: "main", gazelle: "gazelle", snake: "serpent", elephant: "éléphant", mask: "masque", red: "rouge", blue: "bleu", green: "vert" }[e.symbol] ?? e.symbol}`,
    claim: (p, e) => `${p} : place ${e.place}`, withdrawn: (p) => `${p} se reprend`,
    late: (p, e) => `${p} : ${seconds("fr", e.by)} secondes trop tard`, stop: () => "Stop !", flip: (p, e) => (e.chance === 2 ? "Deuxième chance" : "Partez !"),
    gem: (p, e) => `${p} : ${{ ruby: "un rubis", sapphire: "un saphir", emerald: "une émeraude", amber: "un ambre" }[e.gem]}`,
    points: (p, n) => `${p} ${n}`, undone: () => "Annulé", final: (names) => `Gagné : ${names}`, notice: (p, e) => e.text,
  },
};

const de = {
  title: "Die Ubongo-Kiste",
  players: { red: "Rot", blue: "Blau", green: "Grün", yellow: "Gelb" },
  button: (name, key) => `${name}, Taste ${key}`,
  gone: "Die Kiste antwortet nicht. Läuft ihr Programm, und ist das Netz da? Diese Seite kommt von selbst zurück.",
  crowd: "Zu viele Seiten zeigen diese Kiste schon. Schließe eine: Diese Seite versucht es von selbst wieder.",
  sound: { locked: "Tippen für Ton", on: "Ton an", muted: "Ton aus" },
  help: "So wird gespielt",
  advice: [
    "Wessen Taste <b>leuchtet oder blinkt</b>, darf drücken. Die Ziffern <kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd> <kbd>4</kbd> sind die vier Tasten, gehalten, solange du sie hältst, und auf einem Touchscreen können alle zugleich drücken.",
    "<b>Mitspielen</b>: deine Taste drücken. <b>Beginnen</b>: sie 1,5 Sekunden halten.",
    "<b>Gelöst?</b> Drücken: Das ist dein „Ubongo!“. Aus Versehen? Taste halten, um es zurückzunehmen.",
    "<b>Edelsteine</b>: drücken und ziehen. Eine Taste halten nimmt den letzten Zug zurück.",
    "<b>Drei beliebige Tasten 2 Sekunden halten</b>: Menü mit Pause, Rückgängig, Regeln, Einstellungen und Ende der Partie. Dort ist 1 hoch, 2 runter, 3 wählen, 4 schließen.",
  ],
  scenes: {
    resume: "Eine Partie wurde unterbrochen: drücken setzt fort, halten gibt auf", lobby: "Wer spielt? Drücken: mitspielen, halten: beginnen",
    youngest: "Wer ist am jüngsten? Drücken", ready: "Bereit für die Runde", stacks: "Stapel wählen", race: "Das Rennen läuft",
    check: "Prüft die Tafeln der anderen", draw: "Edelstein ziehen", scores: "Der Punktestand", playoff: "Stechen", final: "Die Rangliste",
    alone: "Allein spielen", count: "Edelsteine zählen", menu: "Menü", settings: "Einstellungen", rules: "Regeln", history: "Frühere Partien",
    paused: "Pause: drücken setzt fort", asleep: "Schläft: drücken weckt",
  },
  said: {
    joined: (p) => `${p} spielt mit`, left: (p) => `${p} spielt nicht mit`, youngest: (p) => `${p} beginnt`,
    rolled: (p, e) => `Gewürfelt: ${{ shield: "Schild", hand: "Hand", gazelle: "Gazelle", snake: "Schlange", elephant: "Elefant", mask: "Maske", red: "Rot", blue: "Blau", green: "Grün" }[e.symbol] ?? e.symbol}`,
    claim: (p, e) => `${p} ist Nummer ${e.place}`, withdrawn: (p) => `${p} nimmt es zurück`,
    late: (p, e) => `${p}: ${seconds("de", e.by)} Sekunden zu spät`, stop: () => "Stopp!", flip: (p, e) => (e.chance === 2 ? "Zweite Chance" : "Los!"),
    gem: (p, e) => `${p}: ${{ ruby: "ein Rubin", sapphire: "ein Saphir", emerald: "ein Smaragd", amber: "ein Bernstein" }[e.gem]}`,
    points: (p, n) => `${p} ${n}`, undone: () => "Zurückgenommen", final: (names) => `Gewonnen: ${names}`, notice: (p, e) => e.text,
  },
};

const languages = { en, fr, de };

export function wordsOf(language) {
  return languages[language] ?? en;
}
