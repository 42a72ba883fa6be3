// One page: fingers and keys go to the box, its lamps, sounds and pictures come back. Nothing of the game is known here.

import { Oled } from "./oled.js";
import { Sound } from "./sound.js";
import { wordsOf } from "./words.js";

const SILENCE = 12_000; // ms: three heartbeats of the program
const RETRY = [250, 500, 1000, 2000]; // ms
const STILL = 150; // ms: how often the box is told that what is held is held; it waits for about seven of them
const TOO_MANY = 1013;
const KEYS = {
  Digit1: 1, Digit2: 2, Digit3: 3, Digit4: 4,
  Numpad1: 1, Numpad2: 2, Numpad3: 3, Numpad4: 4,
};

const root = document.documentElement;
const find = (id) => document.getElementById(id);
const arcade = [...document.querySelectorAll(".arcade")];
const buttons = new Map(arcade.map((element) => [Number(element.dataset.button), element]));
const oled = new Oled(find("oled"), find("window"), find("face"));
const sound = new Sound(showSound);

let words = wordsOf("en");
let names = {};
let socket = null;
let heard = 0;
let tries = 0;

// Presses: every finger and every key is a holder of its own, and a button is down until the last one lets go.

const holders = new Map();
let downElsewhere = new Set();

function press(holder, button) {
  if (!isUp() || holders.has(holder)) return;
  const first = !holds(button);
  holders.set(holder, button);
  if (first) socket.send(`down ${button}`);
  showButtons();
}

function release(holder) {
  const button = holders.get(holder);
  if (button === undefined) return;
  holders.delete(holder);
  if (!holds(button) && isUp()) socket.send(`up ${button}`);
  showButtons();
}

// A page that stalls says nothing, and the box lets go: else a short tap whose end waits behind the stall were a hold.
setInterval(() => {
  if (holders.size > 0 && isUp()) socket.send("still");
}, STILL);

function releaseAll() {
  for (const holder of [...holders.keys()]) release(holder);
}

function holds(button) {
  return [...holders.values()].includes(button);
}

function showButtons() {
  for (const [button, element] of buttons) {
    element.classList.toggle("down", holds(button) || downElsewhere.has(button));
  }
}

for (const [button, element] of buttons) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    try {
      element.setPointerCapture(event.pointerId);
    } catch {
      // A finger that is already gone; its pointerup follows.
    }
    press(`pointer ${event.pointerId}`, button);
  });
  // Space and Enter on a focused button are fingers too, and hold it as long as they are held.
  element.addEventListener("keydown", (event) => {
    if (event.code !== "Space" && event.code !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) press(`focus ${event.code}`, button);
  });
  element.addEventListener("keyup", (event) => {
    if (event.code === "Space" || event.code === "Enter") event.preventDefault();
    release(`focus ${event.code}`);
  });
  // Assistive technology clicks without any pointer.
  element.addEventListener("click", (event) => {
    if (event.detail !== 0) return;
    // At once, however late a timer would be: the box makes a tap of it.
    press("click", button);
    release("click");
  });
}

for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
  addEventListener(end, (event) => release(`pointer ${event.pointerId}`));
}
addEventListener("keydown", (event) => {
  const button = KEYS[event.code];
  if (!button || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  press(event.code, button);
});
addEventListener("keyup", (event) => {
  release(event.code);
  release(`focus ${event.code}`);
});
addEventListener("blur", releaseAll);
addEventListener("pagehide", releaseAll);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) releaseAll();
  else if (!socket) connect();
  stayAwake();
});
for (const unwanted of ["contextmenu", "selectstart", "dragstart", "gesturestart", "dblclick"]) {
  find("box").addEventListener(unwanted, (event) => event.preventDefault());
}

// The socket

function isUp() {
  return socket !== null && socket.readyState === WebSocket.OPEN;
}

function connect() {
  clearTimeout(connect.timer);
  if (socket) return;
  const address = new URL("socket", location.href);
  address.protocol = "ws:";
  address.search = "";
  address.hash = "";
  const opened = new WebSocket(address);
  opened.binaryType = "arraybuffer";
  socket = opened;
  heard = performance.now();
  opened.onopen = () => {
    tries = 0;
    root.dataset.link = "up";
    find("gone").classList.remove("shown");
    stayAwake();
  };
  opened.onmessage = (event) => {
    heard = performance.now();
    if (typeof event.data === "string") {
      take(JSON.parse(event.data));
    } else {
      oled.show(new Uint8Array(event.data));
      opened.send("seen");
    }
  };
  opened.onclose = (event) => lost(opened, event.code);
}

function lost(closed, code) {
  if (closed !== socket) return;
  socket = null;
  holders.clear();
  downElsewhere = new Set();
  root.dataset.link = "down";
  find("gone").textContent = code === TOO_MANY ? words.crowd : words.gone;
  find("gone").classList.add("shown");
  showLamps([0, 0, 0, 0]);
  showTone(null);
  showButtons();
  oled.brightness(0);
  connect.timer = setTimeout(connect, RETRY[Math.min(tries, RETRY.length - 1)]);
  tries += 1;
}

// A program that hangs, or a network that is gone, closes nothing.
setInterval(() => {
  if (!socket || performance.now() - heard < SILENCE) return;
  const silent = socket;
  lost(silent, 0);
  silent.close();
}, 1000);

function take(news) {
  if (news.language !== undefined || news.names !== undefined) {
    if (news.language !== undefined) root.lang = news.language;
    words = wordsOf(root.lang);
    names = news.names ?? names;
    showWords();
  }
  if (news.lamps) showLamps(news.lamps);
  if (news.down) {
    downElsewhere = new Set(news.down);
    showButtons();
  }
  if (news.tone !== undefined) showTone(news.tone);
  if (news.brightness !== undefined) oled.brightness(news.brightness);
  if (news.scene !== undefined) {
    root.dataset.scene = news.scene ?? "";
    const scene = words.scenes[news.scene] ?? news.scene ?? "";
    find("oled").setAttribute("aria-label", scene);
    // A page that has just come hears only where things stand; any other one in the order in which it happened.
    if (!news.events?.some((event) => event.what === "scene")) say(scene);
  }
  for (const event of news.events ?? []) say(inWords(event));
}

// What is seen and heard

function showLamps(lamps) {
  lamps.forEach((level, index) => {
    const element = buttons.get(index + 1);
    element.style.setProperty("--lamp", level);
    element.dataset.lamp = level;
  });
}

function showTone(pitch) {
  sound.tone(pitch);
  find("buzzer").classList.toggle("sounds", pitch !== null);
}

function showSound() {
  find("sound").dataset.sound = sound.state;
  find("sound").setAttribute("aria-pressed", String(sound.state === "on"));
  find("sound").title = find("sound-words").textContent = words.sound[sound.state];
}

function showWords() {
  document.title = words.title;
  find("help").firstElementChild.title = find("help-title").textContent = words.help;
  find("help-list").innerHTML = words.advice.map((line) => `<li>${line}</li>`).join("");
  find("gone").textContent = words.gone;
  for (const [button, element] of buttons) {
    const seat = element.closest(".seat");
    seat.querySelector(".name").textContent = nameOf(seat.dataset.player);
    element.setAttribute("aria-label", words.button(nameOf(seat.dataset.player), button));
    element.setAttribute("aria-keyshortcuts", String(button));
  }
  const scene = root.dataset.scene;
  if (scene) find("oled").setAttribute("aria-label", words.scenes[scene] ?? scene);
  showSound();
}

function nameOf(player) {
  return names[player] || words.players[player] || player;
}

function inWords(event) {
  const player = event.player ? nameOf(event.player) : "";
  if (event.what === "scored") {
    return Object.entries(event.scores).map(([who, points]) => words.said.points(nameOf(who), points)).join(", ");
  }
  if (event.what === "scene") return words.scenes[event.scene] ?? event.scene;
  if (event.what === "final") return words.said.final(event.ranking[0].map(nameOf).join(", "));
  return words.said[event.what]?.(player, event) ?? "";
}

// One child for each thing said: a screen reader reads what is added, in order.
function say(text) {
  if (!text) return;
  const line = document.createElement("span");
  // A question or a shout has its end already.
  line.textContent = /[.!?…]$/.test(text) ? `${text} ` : `${text}. `;
  find("told").append(line);
  while (find("told").childElementCount > 8) find("told").firstElementChild.remove();
}

// Sound wants one gesture; a press of the box is as good as any. Opening the sound hardware may take its time, so it
// waits for the end of the gesture: in the midst of it a short press would last as long.

for (const gesture of ["pointerup", "keyup"]) {
  addEventListener(gesture, (event) => {
    if (sound.state === "locked" && !event.target.closest?.("#sound")) sound.unlock();
  });
}
find("sound").addEventListener("click", () => {
  if (sound.state !== "locked") sound.mute(sound.state === "on");
  sound.unlock();
});

// The help goes when it is in the way; whoever follows it and presses a button of the box may read on.

addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.("#help, .arcade")) find("help").open = false;
});
addEventListener("keydown", (event) => {
  if (event.code !== "Escape" || !find("help").open) return;
  find("help").open = false;
  find("help").firstElementChild.focus();
});

// A tablet in the middle of the table must not go dark in the middle of a round.

async function stayAwake() {
  if (document.hidden || !isUp() || !navigator.wakeLock || stayAwake.lock) return;
  try {
    stayAwake.lock = await navigator.wakeLock.request("screen");
    stayAwake.lock.addEventListener("release", () => (stayAwake.lock = null));
  } catch {
    stayAwake.lock = null; // low battery, or not allowed: then the screen's own time goes
  }
}

showWords();
showLamps([0, 0, 0, 0]);
oled.brightness(0);
connect();
