// Sees to it that words are weighed after listings changed: the first commit of some minutes leaves a reminder, which
// compares what the index counts with what the stored vectors were made with.
import type { BackgroundTasks } from '../../actors/background-tasks.ts';
import type { Clock } from '../../actors/clock.ts';
import type { Store } from '../../db/store.ts';
import { CARD_TYPES } from '../domain/listing/listing.ts';
import { TEMPLATE_LISTINGS_MIN } from '../domain/listing/template-words.ts';
import { settledBy, weighedAt, weighWords } from '../steps/listing/weigh.ts';

const KEY = 'word-watch';
/** For one turn that writes a few rows. */
const DEADLINE_MS = 60_000;

interface Watched {
  readonly store: Store;
  readonly clock: Clock;
  readonly tasks: BackgroundTasks;
}

/** Leaves a reminder in time after each change of listings, once any card type has enough of them. */
export function watchWords({ store, clock, tasks }: Watched): void {
  // Commits until then are covered by the scheduled weighing.
  let asked_until = Number.NEGATIVE_INFINITY;
  // The most listings that a card type had when last looked: what many weighed must weigh in full when they are gone.
  let most = 0;
  const ask = async (now_ms: number): Promise<void> => {
    try {
      await store.turn({ attempt: async () => ({ reply: null, effects: weighWords(now_ms) }) });
    } catch (error) {
      asked_until = Number.NEGATIVE_INFINITY;
      throw error;
    }
  };
  store.onCommit(({ changed }) => {
    const now_ms = clock.now();
    if (now_ms < asked_until || !changed.some(({ table }) => table === 'listings')) return;
    const before = most;
    most = Math.max(...CARD_TYPES.map((card_type) => store.vectors.listingsOf(card_type)));
    if (Math.max(before, most) < TEMPLATE_LISTINGS_MIN) return;
    asked_until = settledBy(weighedAt(now_ms));
    tasks.run(KEY, { hosts: [], deadline_ms: DEADLINE_MS, work: () => ask(now_ms) });
  });
}
