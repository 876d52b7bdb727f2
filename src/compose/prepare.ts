// What has to hold of a database before it is served: its secrets are those that it was made with, its money is of the configured
// processor, and the platform has its agent. The database keeps a check value of each secret, from which nothing can be learnt.

import type { Clock } from '../../actors/clock.ts';
import type { Effect } from '../../db/effects.ts';
import { apply, insert } from '../../db/effects.ts';
import { noteById, sealedRows } from '../../db/queries/turn.ts';
import type { Read, Store } from '../../db/store.ts';
import { type Config, UnusableSetting } from '../config.ts';
import { isFault } from '../domain/fault.ts';
import type { Log } from '../log.ts';
import { type CheckValues, checkValues, forgetMade, type Secrets } from '../outbound/secrets.ts';
import { platformAgent } from '../steps/agent/platform.ts';
import { embedStaleKnowledge } from '../steps/knowledge/vector.ts';
import { reembedStale } from '../steps/listing/reembed.ts';
import { weighWords } from '../steps/listing/weigh.ts';
import { sealMissed } from '../steps/money/ledger-seal.ts';
import { strangeMoney } from '../steps/money/origin.ts';
import type { World } from './world.ts';

const NOTE = 'secrets';

/** What each secret opens or proves, and what is lost with it. */
const LOST: Readonly<Record<string, string>> = {
  'seal-key':
    'secrets of webhooks, push configs, push subscriptions and router providers, letters that wait, answers of routed calls',
  'session-key.json': 'every session and access token',
  'card-key.json': 'the signatures of agent cards',
  'document-key.json': 'the signatures of attestations, receipts, dispute bundles and seals of the ledger',
  'push-key.json': 'the push subscriptions of browsers',
};

interface Checked {
  /** The secrets that a start has made anew, for none was there. */
  readonly made: readonly string[];
  readonly values: CheckValues;
  /** Takes them as they are, whatever is lost. */
  readonly accept: boolean;
}

/** Sets of keys are changed one key at a time, so that one of them at least is known; the rest is one value. */
function isKnown(known: unknown, values: readonly string[]): boolean {
  return known === undefined || (Array.isArray(known) && values.some((value) => known.includes(value)));
}

function sentence(name: string, made: readonly string[]): string {
  return `${name} ${made.includes(name) ? 'is missing' : 'is another one'}`;
}

/** Throws `UnusableSetting`, which names the secrets, when one is not what the database was made with; keeps their check values
 * else. Answers what became unreadable where that is accepted. */
async function checkSecrets(store: Store, { made, values, accept }: Checked): Promise<readonly string[]> {
  const note = await store.read(noteById, { id: NOTE });
  const strange = Object.keys(values).filter((name) => !isKnown(note?.value[name], values[name] ?? []));
  if (strange.length > 0 && !accept) {
    const named = strange.map((name) => sentence(name, made)).join(', ');
    const lost = strange.map((name) => LOST[name] ?? name).join('; ');
    throw new UnusableSetting(
      `the secrets do not belong to this database: ${named}. Put the copy back that was made with the database, or give up for good what hangs on it (${lost}): meshwork serve --new-secrets`,
    );
  }
  const value = { ...values };
  await store.turn({
    attempt: async () => ({
      reply: null,
      effects: [
        insert('service_notes', { id: NOTE, value }, 'ignore'),
        apply('service_notes', NOTE, () => ({ value })),
      ],
    }),
  });
  const counted = strange.includes('seal-key') ? await store.read(sealedRows, {}) : null;
  const rows = counted === null ? [] : Object.entries(counted).map(([what, n]) => `${n} ${what}`);
  return strange.map((name) => `${name}: ${LOST[name]}${name === 'seal-key' ? ` (${rows.join(', ')})` : ''}`);
}

/** Refuses secrets that are not the database's, and tells what is lost where that is accepted. */
export async function holdToSecrets(
  { dataDir, databaseUrl }: Config,
  { secrets, store, accept, log }: { secrets: Secrets; store: Store; accept: boolean; log: Log },
): Promise<void> {
  const { made } = secrets;
  try {
    const lost = await checkSecrets(store, { made, values: checkValues(secrets), accept });
    for (const text of lost)
      log.warn('a secret was replaced: what hangs on it cannot be read any more', { lost: text });
  } catch (error) {
    await store.close();
    if (databaseUrl === undefined) await forgetMade(dataDir, made);
    throw error;
  }
}

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

/** What the last run may not have come to, or what a change of its settings asks for. */
export async function leftUndone(read: Read, model: string, now_ms: number): Promise<Effect<never>[]> {
  return [
    ...(await reembedStale(read, model, now_ms)),
    ...(await embedStaleKnowledge(read, model, now_ms)),
    ...weighWords(now_ms),
    await sealMissed(read, now_ms),
  ];
}
