// Detects turns of the event loop that block all others. A beat runs twenty times a second, and every operation signals the
// start of a synchronous part; after a long gap, the operation with the last signal blocked the loop. A signal costs one read
// of the clock and two assignments.

/** A turn longer than this is reported; far longer than any operation takes at the bound of its input. */
const HELD_MS = 200;
/** A turn that began right after a beat is measured this much too long. */
const BEAT_MS = 50;

/** A turn that took too long: `operation` (or work of the store) is null when none had signalled. Far less CPU than time means that it
 * waited for the disk or for a core. */
export interface Held {
  readonly operation: string | null;
  readonly ms: number;
  readonly cpu_ms: number;
}

/** The CPU time of this process so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export class LoopWatch {
  readonly #time: () => number;
  readonly #cpu: () => number;
  readonly #listeners: ((held: Held) => void)[] = [];
  #last: number;
  #cpu_at_beat: number;
  #operation: string | null = null;
  #lag_ms = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `time` returns monotonic milliseconds, `cpu` those of this process's CPU. */
  constructor(time: () => number = () => performance.now(), cpu: () => number = cpuMs) {
    this.#time = time;
    this.#cpu = cpu;
    this.#last = time();
    this.#cpu_at_beat = cpu();
  }

  /** Calls a listener with every turn that took too long. */
  onHeld(listener: (held: Held) => void): void {
    this.#listeners.push(listener);
  }

  /** Signals that an operation, or work of the store, begins a synchronous part. */
  noteBegin(operation: string): void {
    this.#sign(operation);
  }

  /** The loop has come round. */
  beat(): void {
    this.#lag_ms = Math.max(this.#lag_ms, this.#time() - this.#last - BEAT_MS);
    this.#sign(null);
    this.#cpu_at_beat = this.#cpu();
  }

  #sign(operation: string | null): void {
    const now = this.#time();
    const ms = now - this.#last;
    if (ms > HELD_MS) this.#tell(ms);
    this.#last = now;
    this.#operation = operation;
  }

  #tell(ms: number): void {
    const cpu_ms = Math.min(ms, this.#cpu() - this.#cpu_at_beat);
    for (const listener of this.#listeners) listener({ operation: this.#operation, ms, cpu_ms });
  }

  /** How late the latest beat was since the last call. */
  takeLag(): number {
    const lag_ms = this.#lag_ms;
    this.#lag_ms = 0;
    return lag_ms;
  }

  start(): void {
    this.#last = this.#time();
    this.#timer ??= setInterval(() => this.beat(), BEAT_MS);
    this.#timer.unref();
  }

  /** Ends the watch; without beats an idle loop would look blocked. */
  stop(): void {
    this.#listeners.length = 0;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
