// What has to hold of a database before it is served: its money is of the configured processor, and the platform has its agent.
import type { Clock } from '../actors/clock.ts';
import type { Store } from '../db/store.ts';
import { UnusableSetting } from './config.ts';
import { isFault } from './domain/fault.ts';
import { platformAgent } from './steps/agent/platform.ts';
import { strangeMoney } from './steps/money/origin.ts';
import type { World } from './world.ts';

/** Nodes that start in the same moment make the platform's agent at once: all but one of them ask again. */
const TRIES_MAX = 20;

interface Prepared extends Pick<World, 'settings' | 'processor'> {
  readonly store: Store;
  readonly clock: Clock;
}

/** Refuses to serve with the money of another processor, and makes the platform's agent exist under its handle. */
export async function prepare({ store, clock, settings, processor }: Prepared): Promise<void> {
  const strange = await strangeMoney(store.read, processor);
  if (strange !== null) throw new UnusableSetting(`PAYMENTS cannot be used: ${strange}`);
  const { platform_handle } = settings;
  for (let tries = 1; ; tries += 1) {
    const outcome = await store.turn({ attempt: (read) => platformAgent(read, platform_handle, clock.now()) });
    if (!isFault(outcome)) return;
    if (outcome.fault === 'conflict' && tries < TRIES_MAX) continue;
    throw new UnusableSetting(`PLATFORM_HANDLE ${platform_handle} is the handle of another agent, now or until lately`);
  }
}
