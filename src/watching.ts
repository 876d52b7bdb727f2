// What tells the log of the machine under the service: a clock that jumps, an event loop that is held up.
import { ClockWatch, type Doubt } from '../actors/clock-watch.ts';
import { LoopWatch } from '../actors/loop-watch.ts';
import { errorFields } from './log.ts';
import type { Parts } from './parts.ts';
import { sealNow } from './steps/money/ledger-seal.ts';

/** Tells the log of every turn of the event loop that held up all others. */
export function loopOf({ log, time }: Parts): LoopWatch {
  const loop = new LoopWatch(time);
  loop.onHeld(({ operation, ms }) =>
    log.warn('the event loop was held up', { operation: operation ?? 'none', duration_ms: Math.round(ms) }),
  );
  return loop;
}

const DOUBTS: Readonly<Record<Doubt, string>> = {
  jumped_forward: 'the clock jumped forward: nothing is sealed or pruned for an hour of running',
  jumped_back: 'the clock jumped back: nothing is sealed or pruned until it has passed the newest commit',
  started_late: 'the newest commit is over an hour old: nothing is sealed or pruned for an hour of running',
  started_early: 'the newest commit is ahead of the clock: nothing is sealed or pruned until that has passed it',
};

/** Tells the log of a clock that jumped, and whoever waits for an instant that it has to look again. */
export function clockWatchOf({ store, clock, log, shared_time }: Parts): ClockWatch {
  return new ClockWatch(store, clock, shared_time ?? null, {
    doubted: (doubt, by_ms) => {
      log.warn(DOUBTS[doubt], { duration_ms: Math.round(by_ms) });
      clock.moveTo(clock.now());
    },
    believed: () => {
      log.info('the clock is believed again');
      const effects = [sealNow(clock.now())];
      void store.turn({ attempt: async () => ({ reply: null, effects }) }).catch((error: unknown) => {
        log.error('the seal of the ledger could not be asked for', errorFields(error));
      });
    },
  });
}
