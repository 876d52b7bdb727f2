// Names what holds the event loop, inside a server of the bench: the longest turns of the loop, and what took most of each. A turn
// counts by the CPU time of its thread too, which neither a busy core nor a slow disk moves.
import { LoopWatch } from '../../actors/loop-watch.ts';
import { monotonicMs } from './monotonic.ts';
import { cpuNow } from './stage-watch.ts';

/** A turn of the loop. */
export interface Turn {
  readonly ms: number;
  readonly cpu_ms: number;
  /** The operation, or work of the store, that began the longest part of it. */
  readonly operation: string;
  readonly part_cpu_ms: number;
}

const KEPT = 10;
/** The beat's own pause. */
const BEAT_MS = 1;

interface Mark {
  readonly at_ms: number;
  readonly cpu_ms: number;
}

const mark = (): Mark => ({ at_ms: monotonicMs(), cpu_ms: cpuNow() / 1_000 });

let longest: Turn[] = [];
let began = mark();
let last = { operation: 'the loop', since: began };
let part = { operation: 'the loop', cpu_ms: 0 };

function pass(operation: string): void {
  const now = mark();
  const cpu_ms = now.cpu_ms - last.since.cpu_ms;
  if (cpu_ms > part.cpu_ms) part = { operation: last.operation, cpu_ms };
  last = { operation, since: now };
}

function comeRound(): void {
  pass('the loop');
  const { since } = last;
  const turn = { ms: since.at_ms - began.at_ms - BEAT_MS, cpu_ms: since.cpu_ms - began.cpu_ms };
  const least = longest.length < KEPT ? 0 : (longest.at(-1)?.cpu_ms ?? 0);
  if (turn.cpu_ms > least) {
    longest.push({ ...turn, operation: part.operation, part_cpu_ms: part.cpu_ms });
    longest = longest.sort((a, b) => b.cpu_ms - a.cpu_ms).slice(0, KEPT);
  }
  began = since;
  part = { operation: 'the loop', cpu_ms: 0 };
}

/** From now on the turns are watched. */
export function watchTurns(): void {
  const { noteBegin } = LoopWatch.prototype;
  LoopWatch.prototype.noteBegin = function (this: LoopWatch, operation: string) {
    pass(operation);
    noteBegin.call(this, operation);
  };
  setInterval(comeRound, BEAT_MS);
}

/** The longest turns since this was last asked, the longest first. */
export function takeTurns(): Turn[] {
  const taken = longest;
  longest = [];
  began = mark();
  last = { operation: 'the loop', since: began };
  return taken;
}
