// Asks a language model for an agent, within the agent's daily limits: an estimate is reserved before each request, and replaced by
// the actual use after it. Each agent has one question in progress at a time.

import { waitForAbort } from '../../../../actors/background-tasks.ts';
import { count, type Effect, insert } from '../../../../db/effects.ts';
import { agentById } from '../../../../db/queries/agent.ts';
import { accountById } from '../../../../db/queries/identity.ts';
import { counterById } from '../../../../db/queries/turn.ts';
import type { Row } from '../../../../db/schema/tables.ts';
import type { Read } from '../../../../db/store.ts';
import { actor, type FlowCtx } from '../../../contract/context.ts';
import type { FlowPorts } from '../../../contract/ports.ts';
import { type Fault, isFault } from '../../../domain/fault.ts';
import { hasLeft } from '../../../domain/identity/handle.ts';
import {
  addUse,
  isWithinCaps,
  lessUse,
  MODEL_CALL_KEPT_MS,
  MODEL_CAPS,
  MODEL_COUNTER_MS,
  MODEL_MEASURES,
  type ModelUse,
  modelKey,
  modelUse,
  nearCap,
  UNDER_WAY_MS,
  underWayKey,
} from '../../../domain/negotiation/model-turn.ts';
import { modelCapLetter } from '../../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../../outbound/mailer/words/words.ts';
import type { MayUse, ModelPort, Question, ReadAnswer, Said, Use } from '../../../outbound/negotiator/negotiator.ts';
import { sendLetter } from '../../../steps/letter.ts';
import type { Advised } from '../../../steps/negotiation/turn.ts';

/** The question, its purpose, and the parser of the answer. */
interface Asked<T> {
  readonly purpose: Row<'model_calls'>['purpose'];
  readonly question: Question;
  readonly read: ReadAnswer<T>;
}

type Ports = Pick<FlowPorts, 'clock'> & { readonly negotiator: ModelPort };

/** Records the outcome of a question and counts its use; null where no request was made, or the agent's account was deleted
 * meanwhile. */
async function writeDown(
  ctx: FlowCtx,
  { negotiator, clock }: Ports,
  { question, purpose }: Asked<unknown>,
  said: Said<unknown>,
  tab: Tab,
): Promise<string | null | Fault> {
  const { id: agent_id } = actor(ctx);
  const { model, cents_per_mtok } = negotiator;
  const created_at = clock.now();
  const row: Row<'model_calls'> = {
    id: ctx.id(),
    agent_id,
    purpose,
    model,
    prompt: `${question.system}\n\n${question.user}`,
    answer: said.answer,
    tokens: said.tokens,
    cost_microcents: cents_per_mtok === null ? null : said.tokens * cents_per_mtok,
    created_at,
    expires_at: created_at + MODEL_CALL_KEPT_MS,
    version: 1,
  };
  const written = await ctx.turn<string | null, never>({
    attempt: async (read) => {
      const settled = await tab.settle(read, said);
      const agent = said.requests > 0 ? await read(agentById, { id: agent_id }) : null;
      if (!agent || hasLeft(agent)) return { reply: null, effects: settled };
      return { reply: row.id, effects: [...settled, insert('model_calls', row)] };
    },
  });
  return isFault(written) ? written : written.reply;
}

/** Asks for the acting agent. A turn runs before each request and after the last; no turn waits for a request. */
export async function askModel<T>(ctx: FlowCtx, ports: Ports, asked: Asked<T>): Promise<Advised<T> | Fault> {
  const { negotiator } = ports;
  const { model } = negotiator;
  if (negotiator.rests()) return { model, value: null, failure: 'it failed a moment ago', call_id: null };
  const tab = openTab(ctx, ports);
  const said = await negotiator.askFor(actor(ctx).id, asked.question, asked.read, tab.may);
  const refused = await tab.close();
  const call_id = tab.hasCounted() ? await writeDown(ctx, ports, asked, said, tab) : null;
  if (isFault(call_id)) return call_id;
  if (refused) return refused;
  return { model, value: said.value, failure: said.failure, call_id };
}

type TabPorts = Pick<FlowPorts, 'clock'> & { readonly negotiator: Pick<ModelPort, 'cents_per_mtok'> };

/** How often a question checks whether the previous one has ended. */
const LOOK_MS = 200;

const UNLIMITED: ModelUse = {
  calls: Number.MAX_SAFE_INTEGER,
  tokens: Number.MAX_SAFE_INTEGER,
  microcents: Number.MAX_SAFE_INTEGER,
};

/** The accounting of one question. */
interface Tab {
  /** Reserves the next request. */
  readonly may: MayUse;
  /** Whether anything was reserved and must be settled. */
  hasCounted(): boolean;
  /** The fault of the store, or null. Resolves when no reservation is in progress. */
  close(): Promise<Fault | null>;
  /** Replaces the reservation by the actual use, and releases the agent's place. */
  settle(read: Read, used: Use): Promise<Effect<never>[]>;
}

async function usedBy(read: Read, agent_id: string, now_ms: number): Promise<ModelUse> {
  const rows = await Promise.all(
    MODEL_MEASURES.map((measure) => read.peek(counterById, { id: modelKey(measure, agent_id, now_ms) })),
  );
  const [calls = 0, tokens = 0, microcents = 0] = rows.map((row) => row?.n ?? 0);
  return { calls, tokens, microcents };
}

/** Adjusts an agent's use of the day, up or down. */
function countUse(agent_id: string, more: ModelUse, now_ms: number, limits: ModelUse): Effect<never>[] {
  return MODEL_MEASURES.filter((measure) => more[measure] !== 0).map((measure) => {
    const key = modelKey(measure, agent_id, now_ms);
    return count(key, limits[measure], 'again', now_ms + MODEL_COUNTER_MS, more[measure]);
  });
}

/** Tells the agent's person once a day that a limit is near or reached. */
async function notice(read: Read, ctx: FlowCtx): Promise<Effect<never>[]> {
  const { id, handle, account_id } = actor(ctx);
  const key = modelKey('notice', id, ctx.now_ms);
  if (await read.peek(counterById, { id: key })) return [];
  const account = await read.peek(accountById, { id: account_id });
  const letter = modelCapLetter(
    handle,
    `${ctx.settings.app_url}/conversations?agent=${handle}`,
    letterWordsFor(account),
  );
  return [
    count(key, 1, 'again', ctx.now_ms + MODEL_COUNTER_MS),
    ...(account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : []),
  ];
}

/** Until when the agent's current question may take. */
async function underWayUntil(read: Read, agent_id: string): Promise<number> {
  return (await read.peek(counterById, { id: underWayKey(agent_id) }))?.n ?? 0;
}

/** Waits a moment, or until the question is aborted. */
async function pause(gone: AbortSignal): Promise<void> {
  const cut = waitForAbort(gone);
  const moment = Promise.withResolvers<void>();
  const timer = setTimeout(() => moment.resolve(), LOOK_MS);
  await Promise.race([moment.promise, cut.promise]);
  clearTimeout(timer);
  cut.leave();
}

/** The agent's place for one question: the counter's value before, and the value set. */
interface Place {
  readonly from: number;
  readonly until: number;
}

/** The outcome of a reservation, with the place if it took one. */
type Reserved = { readonly outcome: 'reserved'; readonly place: Place | null } | { readonly outcome: 'waits' | 'full' };

/** Reserves use for a question, and takes the agent's place where the question has none. */
async function reserve(ctx: FlowCtx, more: ModelUse, now_ms: number, has_place: boolean): Promise<Reserved | Fault> {
  const { id } = actor(ctx);
  const done = await ctx.turn<Reserved, never>({
    attempt: async (read) => {
      const from = has_place ? 0 : await underWayUntil(read, id);
      if (from > now_ms) return { reply: { outcome: 'waits' } };
      if (!isWithinCaps(await usedBy(read, id, ctx.now_ms), more)) {
        return { reply: { outcome: 'full' }, effects: await notice(read, ctx) };
      }
      const counted = countUse(id, more, ctx.now_ms, MODEL_CAPS);
      if (has_place) return { reply: { outcome: 'reserved', place: null }, effects: counted };
      const place = { from, until: now_ms + UNDER_WAY_MS };
      // If two questions saw the place free, the second exceeds its limit and checks again.
      const taken = count(underWayKey(id), place.until, 'again', null, place.until - from);
      return { reply: { outcome: 'reserved', place }, effects: [...counted, taken] };
    },
  });
  return isFault(done) ? done : done.reply;
}

/** Releases a place. Late in its time another question may hold it already, so it is left to expire. */
function leave(agent_id: string, place: Place | null, now_ms: number): Effect<never>[] {
  if (!place || now_ms >= place.until - UNDER_WAY_MS / 2) return [];
  return [count(underWayKey(agent_id), place.until, 'again', null, place.from - place.until)];
}

/** Opens the accounting of one question of the acting agent. */
function openTab(ctx: FlowCtx, { negotiator, clock }: TabPorts): Tab {
  const { id } = actor(ctx);
  const useOf = ({ requests, tokens }: Use): ModelUse => modelUse(requests, tokens, negotiator.cents_per_mtok);
  let counted = modelUse(0, 0, null);
  let place: Place | null = null;
  let refused: Fault | null = null;
  let under_way: Promise<unknown> = Promise.resolve();
  let is_closed = false;

  const tryOnce = async (most: Use): Promise<Reserved['outcome'] | Fault> => {
    const wanted = useOf(most);
    const reserved = await reserve(ctx, lessUse(wanted, counted), clock.now(), place !== null);
    if (isFault(reserved)) {
      refused = reserved;
      return reserved;
    }
    if (reserved.outcome === 'reserved') {
      counted = wanted;
      place ??= reserved.place;
    }
    return reserved.outcome;
  };
  const may: MayUse = async (most, gone) => {
    while (!is_closed && !gone.aborted) {
      const trying = tryOnce(most);
      under_way = trying;
      const outcome = await trying;
      if (outcome !== 'waits') return outcome === 'reserved';
      await pause(gone);
    }
    return false;
  };
  return {
    may,
    hasCounted: () => place !== null,
    close: async () => {
      is_closed = true;
      await under_way;
      return refused;
    },
    settle: async (read, used) => {
      const more = lessUse(useOf(used), counted);
      const is_near = nearCap(addUse(await usedBy(read, id, ctx.now_ms), more)) !== null;
      return [
        ...countUse(id, more, ctx.now_ms, UNLIMITED),
        ...leave(id, place, clock.now()),
        ...(is_near ? await notice(read, ctx) : []),
      ];
    },
  };
}
