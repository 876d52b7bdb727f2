// Counts what a question to the model uses before it uses it: each request is reserved before it is made, so that no two questions, on
// whichever nodes, pass a cap together. The first reservation also takes the agent's place: one question at a time is under way for an agent in
// the whole cluster, and the others wait for it. Of a process that dies meanwhile what it reserved stays used, and the place is free again soon.
import { waitForAbort } from '../../../actors/background-tasks.ts';
import { count, type Effect } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Read } from '../../../db/store.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import {
  addUse,
  isWithinCaps,
  lessUse,
  MODEL_CAPS,
  MODEL_COUNTER_MS,
  MODEL_MEASURES,
  type ModelUse,
  modelKey,
  modelUse,
  nearCap,
  UNDER_WAY_MS,
  underWayKey,
} from '../../domain/negotiation/model-budget.ts';
import { actor, type FlowCtx, type FlowPorts } from '../../operations/context.ts';
import { modelCapLetter } from '../../outbound/mailer/letters.ts';
import type { MayUse, ModelPort, Use } from '../../outbound/negotiator/negotiator.ts';
import { sendLetter } from '../letter.ts';

type Ports = Pick<FlowPorts, 'clock'> & { readonly negotiator: Pick<ModelPort, 'cents_per_mtok'> };

/** How often a question looks whether the one before it has ended. */
const LOOK_MS = 200;

const UNLIMITED: ModelUse = {
  calls: Number.MAX_SAFE_INTEGER,
  tokens: Number.MAX_SAFE_INTEGER,
  microcents: Number.MAX_SAFE_INTEGER,
};

/** What is counted for one question. */
export interface Tab {
  /** Reserves the next request. */
  readonly may: MayUse;
  /** Whether anything was reserved, and is to be settled. */
  hasCounted(): boolean;
  /** What the store refused; null where it did as it was asked. Resolves when nothing is being reserved any more. */
  close(): Promise<Fault | null>;
  /** Counts what was used in place of what was reserved, and gives the agent's place back. */
  settle(read: Read, used: Use): Promise<Effect<never>[]>;
}

async function usedBy(read: Read, agent_id: string, now_ms: number): Promise<ModelUse> {
  const rows = await Promise.all(
    MODEL_MEASURES.map((measure) => read.peek(counterById, { id: modelKey(measure, agent_id, now_ms) })),
  );
  const [calls = 0, tokens = 0, microcents = 0] = rows.map((row) => row?.n ?? 0);
  return { calls, tokens, microcents };
}

/** Counts more, or less, of what an agent has used on the day. */
function countUse(agent_id: string, more: ModelUse, now_ms: number, limits: ModelUse): Effect<never>[] {
  return MODEL_MEASURES.filter((measure) => more[measure] !== 0).map((measure) => {
    const key = modelKey(measure, agent_id, now_ms);
    return count(key, limits[measure], 'again', now_ms + MODEL_COUNTER_MS, more[measure]);
  });
}

/** Tells the agent's person, once a day, that a cap is near, or reached. */
async function notice(read: Read, ctx: FlowCtx): Promise<Effect<never>[]> {
  const { id, handle, account_id } = actor(ctx);
  const key = modelKey('notice', id, ctx.now_ms);
  if (await read.peek(counterById, { id: key })) return [];
  const account = await read.peek(accountById, { id: account_id });
  const letter = modelCapLetter(handle, `${ctx.settings.app_url}/conversations?agent=${handle}`);
  return [
    count(key, 1, 'again', ctx.now_ms + MODEL_COUNTER_MS),
    ...(account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : []),
  ];
}

/** Until when a question of the agent is under way. */
async function underWayUntil(read: Read, agent_id: string): Promise<number> {
  return (await read.peek(counterById, { id: underWayKey(agent_id) }))?.n ?? 0;
}

/** Waits a moment, or until the question is given up. */
async function pause(gone: AbortSignal): Promise<void> {
  const cut = waitForAbort(gone);
  const moment = Promise.withResolvers<void>();
  const timer = setTimeout(() => moment.resolve(), LOOK_MS);
  await Promise.race([moment.promise, cut.promise]);
  clearTimeout(timer);
  cut.leave();
}

/** Opens the tab of one question of the acting agent. */
export function openTab(ctx: FlowCtx, { negotiator, clock }: Ports): Tab {
  const { id } = actor(ctx);
  const { cents_per_mtok } = negotiator;
  let counted = modelUse(0, 0, cents_per_mtok);
  /** The agent's place: from what the counter stood at to what it was set to. */
  let place: { readonly from: number; readonly until: number } | null = null;
  let outcome: 'reserved' | 'waits' | 'full' | Fault = 'waits';
  let under_way: Promise<void> = Promise.resolve();
  let is_closed = false;

  const reserve = async (most: Use): Promise<void> => {
    const wanted = modelUse(most.requests, most.tokens, cents_per_mtok);
    const more = lessUse(wanted, counted);
    const now_ms = clock.now();
    const done = await ctx.turn<{ outcome: 'reserved' | 'waits' | 'full'; from: number }, never>({
      attempt: async (read) => {
        const from = place ? 0 : await underWayUntil(read, id);
        if (from > now_ms) return { reply: { outcome: 'waits', from } };
        if (!isWithinCaps(await usedBy(read, id, ctx.now_ms), more)) {
          return { reply: { outcome: 'full', from }, effects: await notice(read, ctx) };
        }
        const until = now_ms + UNDER_WAY_MS;
        // Of two that saw it free the second would pass its own limit, and looks again.
        const taken = place ? [] : [count(underWayKey(id), until, 'again', null, until - from)];
        return {
          reply: { outcome: 'reserved', from },
          effects: [...countUse(id, more, ctx.now_ms, MODEL_CAPS), ...taken],
        };
      },
    });
    outcome = isFault(done) ? done : done.reply.outcome;
    if (isFault(done) || outcome !== 'reserved') return;
    counted = wanted;
    place ??= { from: done.reply.from, until: now_ms + UNDER_WAY_MS };
  };

  const may: MayUse = async (most, gone) => {
    while (!is_closed && !gone.aborted) {
      under_way = reserve(most);
      await under_way;
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
      return isFault(outcome) ? outcome : null;
    },
    settle: async (read, used) => {
      const more = lessUse(modelUse(used.requests, used.tokens, cents_per_mtok), counted);
      const all = addUse(await usedBy(read, id, ctx.now_ms), more);
      // Late enough, the place may be somebody else's by now.
      const mine = place && clock.now() < place.until - UNDER_WAY_MS / 2 ? place : null;
      const left = mine ? [count(underWayKey(id), mine.until, 'again', null, mine.from - mine.until)] : [];
      return [
        ...countUse(id, more, ctx.now_ms, UNLIMITED),
        ...left,
        ...(nearCap(all) === null ? [] : await notice(read, ctx)),
      ];
    },
  };
}
