// The buzzer: one square wave that follows what the buzzer's pin puts out. Browsers keep it silent until a gesture.

const LOUD = 0.14;
const RAMP = 0.002; // seconds; a jump would click

export class Sound {
  constructor(changed) {
    this.changed = changed;
    this.pitch = null;
    this.muted = recall() === "muted";
    this.context = null;
  }

  get state() {
    if (this.muted) return "muted";
    return this.context?.state === "running" ? "on" : "locked";
  }

  // To be called from within a gesture.
  async unlock() {
    if (!this.context) this.build();
    try {
      await this.context.resume();
    } catch {
      // The next gesture tries again.
    }
    this.changed();
  }

  build() {
    const context = new AudioContext({ latencyHint: "interactive" });
    this.wave = new OscillatorNode(context, { type: "square", frequency: 440 });
    this.volume = new GainNode(context, { gain: 0 });
    // A piezo disc in a wooden box is no hi-fi: without its edges the square wave is friendlier, and still a buzzer.
    const body = new BiquadFilterNode(context, { type: "lowpass", frequency: 3200, Q: 0.7 });
    this.wave.connect(body).connect(this.volume).connect(context.destination);
    this.wave.start();
    context.onstatechange = () => {
      this.play();
      this.changed();
    };
    this.context = context;
    this.play();
  }

  tone(pitch) {
    this.pitch = pitch;
    this.play();
  }

  mute(muted) {
    this.muted = muted;
    keep(muted ? "muted" : "on");
    this.play();
    this.changed();
  }

  play() {
    if (!this.context) return;
    const now = this.context.currentTime;
    const level = this.pitch !== null && !this.muted ? LOUD : 0;
    if (this.pitch !== null) this.wave.frequency.setValueAtTime(this.pitch, now);
    this.volume.gain.cancelScheduledValues(now);
    this.volume.gain.setTargetAtTime(level, now, RAMP);
  }
}

function recall() {
  try {
    return localStorage.getItem("sound");
  } catch {
    return null; // storage is switched off
  }
}

function keep(value) {
  try {
    localStorage.setItem("sound", value);
  } catch {
    // It is only forgotten at the next visit.
  }
}
