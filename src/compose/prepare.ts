// Checks before a database is served: its secrets are those that it was made with, its money is of the configured processor, and the
// platform's agent exists. The database stores a check value of each secret, which does not reveal it.
import type { Clock } from '../../actors/clock.ts';
import { apply, type Effect, insert, patch } from '../../db/effects.ts';
import { agentById, handleById } from '../../db/queries/agent.ts';
import { knowledgeOfOtherModels } from '../../db/queries/knowledge.ts';
import { listingsOfOtherModels } from '../../db/queries/listing.ts';
import { firstCheckoutPaid, firstFundingPaid } from '../../db/queries/processor.ts';
import { noteById, sealedRows } from '../../db/queries/turn.ts';
import type { Decision, Read, Store } from '../../db/store.ts';
import { type Config, UnusableSetting } from '../config.ts';
import { PLATFORM_ACCOUNT_ID, PLATFORM_AGENT_ID, PLATFORM_DESCRIPTION } from '../domain/agent/platform.ts';
import { fault, isFault } from '../domain/fault.ts';
import { ALIAS_MS } from '../domain/identity/handle.ts';
import { ORIGIN_WORDS, originOf, originOfPage } from '../domain/money/held-money.ts';
import { lastSealable } from '../domain/money/ledger.ts';
import type { Log } from '../log.ts';
import type { Processor } from '../outbound/processor/processor.ts';
import {
  type CheckValues,
  checkValues,
  forgetMade,
  SECRETS_NOTE,
  type Secrets,
  strangeAmong,
} from '../outbound/secrets.ts';
import { blankAgent } from '../steps/agent/blank.ts';
import { readDemo } from '../steps/demo/find.ts';
import { checkFileAfter } from '../steps/file-check.ts';
import { readFileCheck } from '../steps/file-checked.ts';
import { isHeld } from '../steps/handle/claim.ts';
import { embedKnowledgeNow } from '../steps/knowledge/hold.ts';
import { reembedNow } from '../steps/listing/derived.ts';
import { weighWords } from '../steps/listing/weigh.ts';
import { sealLater, sealNow } from '../steps/money/ledger.ts';
import { firstUnsealed } from '../steps/money/ledger-standing.ts';
import type { remind } from '../steps/reminder.ts';
import type { World } from './world.ts';

/** What is lost with each secret. */
const LOST: Readonly<Record<string, string>> = {
  'seal-key':
    'secrets of webhooks, push configs, push subscriptions and router providers, letters that wait, answers of routed calls',
  'session-key.json': 'every session and access token',
  'card-key.json': 'the signatures of agent cards',
  'document-key.json': 'the signatures of attestations, receipts, dispute bundles and seals of the ledger',
  'push-key.json': 'the push subscriptions of browsers',
};

interface Checked {
  /** The secrets that this start created, because they were missing. */
  readonly made: readonly string[];
  readonly values: CheckValues;
  /** Accepts them, whatever is lost. */
  readonly accept: boolean;
}

function sentence(name: string, made: readonly string[]): string {
  return `${name} ${made.includes(name) ? 'is missing' : 'is another one'}`;
}

/** Throws `UnusableSetting`, which names the secrets, when one is not what the database was made with; otherwise stores their check
 * values. Returns what became unreadable, if that is accepted. */
async function checkSecrets(store: Store, { made, values, accept }: Checked): Promise<readonly string[]> {
  const note = await store.read(noteById, { id: SECRETS_NOTE });
  const strange = strangeAmong(note?.value ?? {}, values);
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
        insert('service_notes', { id: SECRETS_NOTE, value }, 'ignore'),
        apply('service_notes', SECRETS_NOTE, () => ({ value })),
      ],
    }),
  });
  const counted = strange.includes('seal-key') ? await store.read(sealedRows, {}) : null;
  const rows = counted === null ? [] : Object.entries(counted).map(([what, n]) => `${n} ${what}`);
  return strange.map((name) => `${name}: ${LOST[name]}${name === 'seal-key' ? ` (${rows.join(', ')})` : ''}`);
}

/** Refuses secrets that are not the database's, or reports what is lost if that is accepted. */
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

/** Nodes that start at the same time all try to create the platform's agent: all but one try again. */
const TRIES_MAX = 20;

interface Prepared extends Pick<World, 'settings' | 'processor'> {
  readonly store: Store;
  readonly clock: Clock;
}

/** Refuses to serve with the money of another processor, and ensures the platform's agent under its handle. */
export async function prepare({ store, clock, settings, processor }: Prepared): Promise<void> {
  const strange = (await strangeMoney(store.read, processor)) ?? (await strangeWorld(store.read, processor));
  if (strange !== null) throw new UnusableSetting(`PAYMENTS cannot be used: ${strange}`);
  const { platform_handle, instance } = settings;
  const named = { handle: platform_handle, display_name: instance.name };
  for (let tries = 1; ; tries += 1) {
    const outcome = await store.turn({ attempt: (read) => platformAgent(read, named, clock.now()) });
    if (!isFault(outcome)) return;
    if (outcome.fault === 'conflict' && tries < TRIES_MAX) continue;
    throw new UnusableSetting(`PLATFORM_HANDLE ${platform_handle} is the handle of another agent, now or until lately`);
  }
}

/** The work that the last run may have missed, or that changed settings need. */
export async function leftUndone(read: Read, model: string, now_ms: number): Promise<Effect<never>[]> {
  return [
    ...(await reembedStale(read, model, now_ms)),
    ...(await embedStaleKnowledge(read, model, now_ms)),
    ...weighWords(now_ms),
    await sealMissed(read, now_ms),
    checkFileAfter((await readFileCheck(read))?.at_ms ?? null, now_ms),
  ];
}

type Refusal = 'handle_taken' | 'conflict';

/** How the platform's agent is called, by the settings. */
interface PlatformNames {
  readonly handle: string;
  readonly display_name: string;
}

/** Creates the agent; when another node has just done so, the turn decides again. */
function bornEffects(given: PlatformNames, now_ms: number): Effect<Refusal>[] {
  const named = { account_id: PLATFORM_ACCOUNT_ID, ...given };
  const blank = blankAgent({ id: () => PLATFORM_AGENT_ID, now_ms }, named);
  // Hidden, so that it is in no list, count or match; by its kind it takes messages all the same.
  const row = { ...blank, kind: 'platform' as const, visibility: 'hidden' as const, description: PLATFORM_DESCRIPTION };
  const account = { id: PLATFORM_ACCOUNT_ID, email: null, plan: 'free' as const, created_at: now_ms };
  return [insert('accounts', account, 'ignore'), insert('agents', row, fault('conflict'))];
}

/**
 * One turn that leaves the platform's agent with these names. A handle that it gives up redirects to it, as after any rename.
 * `handle_taken` when another agent has the handle or gave it up within 90 days: a setting takes no agent's name. A
 * reservation gives way. `conflict` when another node was faster: try again.
 */
async function platformAgent(read: Read, names: PlatformNames, now_ms: number): Promise<Decision<null, Refusal>> {
  const { handle, display_name } = names;
  const [agent, taken] = await Promise.all([
    read(agentById, { id: PLATFORM_AGENT_ID }),
    read(handleById, { id: handle }),
  ]);
  if (agent?.handle === handle) {
    if (agent.display_name === display_name) return { reply: null };
    return { reply: null, effects: [patch('agents', agent, { display_name, updated_at: now_ms })] };
  }
  if (taken && taken.agent_id !== null && taken.agent_id !== PLATFORM_AGENT_ID && isHeld(taken, now_ms)) {
    return fault('handle_taken');
  }
  const claimed = { kind: 'current' as const, agent_id: PLATFORM_AGENT_ID, email: null, expires_at: null };
  const claim = taken
    ? patch('handles', taken, claimed)
    : insert('handles', { id: handle, ...claimed }, fault('conflict'));
  if (!agent) return { reply: null, effects: [claim, ...bornEffects(names, now_ms)] };
  const old = await read(handleById, { id: agent.handle });
  return {
    reply: null,
    effects: [
      claim,
      patch('agents', agent, { ...names, updated_at: now_ms }),
      ...(old ? [patch('handles', old, { kind: 'alias', expires_at: now_ms + ALIAS_MS })] : []),
    ],
  };
}

/** The refusal; null when all payments, if any, are of this processor. */
async function strangeMoney(
  read: Store['read'],
  processor: Pick<Processor, 'name' | 'livemode'> | null,
): Promise<string | null> {
  if (!processor) return null;
  const first = await Promise.all([read(firstFundingPaid, {}), read(firstCheckoutPaid, {})]);
  const asked = originOf(processor);
  const other = first.flatMap((row) => (row ? [originOfPage(row)] : [])).find((held) => held !== asked);
  if (other === undefined) return null;
  return (
    `this database holds money of ${ORIGIN_WORDS[other]}, which is never mixed with that of ${ORIGIN_WORDS[asked]}; ` +
    'take a database of its own, or the payments that it began with'
  );
}

/** The persons of a demo world have play money and no credentials worth the name: they are never served beside real money. */
async function strangeWorld(read: Store['read'], processor: Pick<Processor, 'name'> | null): Promise<string | null> {
  if (processor?.name === 'sandbox' || (await readDemo(read)) === null) return null;
  return 'a demo world is in this database; start it with PAYMENTS=sandbox and remove it in Administration first';
}

/** At start: sends out for all, if what is stored was made by another model than the one that is set. */
export async function reembedStale(read: Read, model: string, now_ms: number): Promise<Effect<never>[]> {
  const stale = await read(listingsOfOtherModels, { model, limit: 1 });
  return stale.length === 0 ? [] : [reembedNow(undefined, now_ms)];
}

/** At start: sends out for all, if what is stored was made by another model than the one that is set. */
export async function embedStaleKnowledge(read: Read, model: string, now_ms: number): Promise<Effect<never>[]> {
  const stale = await read(knowledgeOfOtherModels, { model, after: '', limit: 1 });
  return stale.length === 0 ? [] : [embedKnowledgeNow(undefined, now_ms)];
}

/** Schedules a seal at a start: now, if days have passed meanwhile. */
export async function sealMissed(read: Read, now_ms: number): Promise<ReturnType<typeof remind>> {
  const day = await firstUnsealed(read);
  const missed = day !== null && day <= lastSealable(now_ms);
  return missed ? sealNow(now_ms) : sealLater(now_ms);
}
