// The stages that erase a deleted agent: how others found and reached it, its messages and inbox, its meetings, its turns and its
// part of the demand board. The records of the other side of a conversation or deal stay.
import { apply, type Effect, patch, remove } from '../../../../db/effects.ts';
import { handleById } from '../../../../db/queries/agent.ts';
import { allQuotesOf, demandBehind, demandById, quotesBehind } from '../../../../db/queries/demand.ts';
import { evidenceOf } from '../../../../db/queries/dispute.ts';
import { knowledgeOfAgent } from '../../../../db/queries/knowledge.ts';
import {
  disputesOfEscrow,
  escrowsBought,
  escrowsSold,
  eventsBehind,
  feedBehind,
  freshLogs,
  handlesOfAgent,
  journalsOut,
  messagesBehind,
  pushConfigsOfAgent,
  threadJoinedFrom,
  threadOpenedFrom,
} from '../../../../db/queries/leaving.ts';
import { listingsOfAgent } from '../../../../db/queries/listing.ts';
import { meetingsBehind } from '../../../../db/queries/meeting.ts';
import { turnsOf } from '../../../../db/queries/negotiation.ts';
import { reviewOfListing } from '../../../../db/queries/review.ts';
import { sendById } from '../../../../db/queries/wallet.ts';
import { webhooksOfAgent } from '../../../../db/queries/webhook.ts';
import { HIGHEST_ID } from '../../../../db/query.ts';
import { blanked } from '../../../../db/schema/personal-columns.ts';
import type { Row } from '../../../../db/schema/tables.ts';
import type { Read } from '../../../../db/store.ts';
import { goneHandle } from '../../../domain/identity/handle.ts';
import { afterDemand, CLOSE_DUE } from '../../../steps/demand/close.ts';
import { removeKnowledge } from '../../../steps/knowledge/hold.ts';
import { countDown, countIntake } from '../../../steps/listing/cap.ts';
import { followChange } from '../../../steps/listing/derived.ts';
import { countPushConfigs, DELIVER } from '../../../steps/push-config.ts';
import { unremind } from '../../../steps/reminder.ts';
import { endOfAgent } from '../../../steps/task/end.ts';
import { type AgentStage, blankRow, consuming, renameTold, SLICE, type Stages, walking } from './stages.ts';

/** Each is removed with its vector, labels, feed entry and open matches. */
const LISTINGS = 20;

/** Its earlier handles no longer resolve, and belong to no agent. */
const names: AgentStage = async (read, { id }) => {
  const rows = await read(handlesOfAgent, { agent_id: id, but: goneHandle(id), limit: SLICE });
  return consuming(rows, (row) => [patch('handles', row, blanked('handles', row, id))]);
};

const listings: AgentStage = async (read, { id }) => {
  const rows = await read(listingsOfAgent, { agent_id: id, before: HIGHEST_ID, limit: LISTINGS });
  const reviews = await Promise.all(rows.map((row) => read(reviewOfListing, { listing_id: row.id })));
  const known = reviews.flatMap((review) => (review ? [review] : []));
  return (ctx) => ({
    effects: [
      ...rows.flatMap((row) => [
        remove('listings', row),
        // A count downwards is never refused.
        (row.origin === 'direct' ? countDown(ctx, row.account_id) : countIntake(row.agent_id, -1)) as Effect<never>,
        ...followChange(ctx, row, null, undefined),
      ]),
      // The review of a held listing holds a copy of its text.
      ...known.map((review) => remove('reviews', review)),
    ],
    after: rows.length === LISTINGS ? '' : null,
  });
};

const feed: AgentStage = async (read, { id }, after) => {
  const rows = await read(feedBehind, { agent_id: id, after, limit: SLICE });
  return walking(rows, (row, { now_ms }) => [apply('feed_entries', row.id, () => ({ expires_at: now_ms }))]);
};

/** Removes a webhook after its logs, which expire now and are pruned. */
const webhooks: AgentStage = async (read, { id }, after) => {
  const [hook] = await read(webhooksOfAgent, { agent_id: id });
  if (!hook) return () => ({ effects: [], after: null });
  const rows = await read(freshLogs, { webhook_id: hook.id, after, limit: SLICE });
  return ({ now_ms }) => {
    const expired = rows.map((row) => apply('webhook_logs', row.id, () => ({ expires_at: now_ms })));
    const last = rows.length === SLICE ? rows.at(-1) : undefined;
    if (last) return { effects: expired, after: last.id };
    // There may be more webhooks.
    return { effects: [...expired, remove('webhooks', hook)], after: '' };
  };
};

const pushConfigs: AgentStage = async (read, { id }) => {
  const rows = await read(pushConfigsOfAgent, { agent_id: id, limit: SLICE });
  return consuming(rows, (row) => [
    remove('push_configs', row),
    // A count downwards is never refused.
    countPushConfigs(row.task_id, -1) as Effect<never>,
    unremind(DELIVER, row.id),
  ]);
};

/** Cancels the tasks that it sent, and fails those sent to it. */
const tasks: AgentStage = async (_read, { id }) => {
  return ({ now_ms }) => ({ effects: [endOfAgent(now_ms, id)], after: null });
};

/** Removes its knowledge and reduces the counter. */
const knowledge: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(knowledgeOfAgent, { agent_id, before: HIGHEST_ID, limit: SLICE });
  return consuming(rows, removeKnowledge);
};

/** In this order: contact ends before anything else is erased. */
export const REACH = {
  handles: [names],
  webhooks: [webhooks],
  push_configs: [pushConfigs],
  tasks: [tasks],
  listings: [listings],
  feed_entries: [feed],
  knowledge: [knowledge],
} satisfies Stages;

/** Each message is also searched for in the other side's inbox. */
const MESSAGES = 50;

/** Escrows a turn: each may have six disputes with a hundred pieces of evidence, though hardly any has one. */
const ESCROWS = 10;

/** Its messages in the threads that it opened or that were opened with it, and the events about them in the other side's inbox. */
function messages(side: 'opener' | 'other'): AgentStage {
  const query = side === 'opener' ? threadOpenedFrom : threadJoinedFrom;
  return async (read, { id: agent_id }, after) => {
    const [from = '', position = '0'] = after.split('|');
    const thread = await read(query, { agent_id, from });
    if (!thread) return () => ({ effects: [], after: null });
    const n = thread.id === from ? Number(position) : 0;
    const rows = await read(messagesBehind, { conversation_id: thread.id, n, limit: MESSAGES });
    const to = goneHandle(agent_id);
    const inbox_id = side === 'opener' ? thread.other_id : thread.opener_id;
    const own = rows.filter(({ sender_id }) => sender_id === agent_id);
    const made = [...(n === 0 ? [thread.id] : []), ...own.map(({ id }) => id)];
    const isOfThread = ({ conversation_id }: Readonly<Record<string, unknown>>): boolean =>
      conversation_id === thread.id;
    const told = await Promise.all(made.map((near_id) => renameTold(read, { inbox_id, near_id, to }, isOfThread)));
    // After the last position of this thread the walk goes on to the next one: no id sorts between an id and `id~`.
    const next = rows.length === MESSAGES ? `${thread.id}|${rows.at(-1)?.n ?? 0}` : `${thread.id}~|0`;
    const written = own.map(({ id }) =>
      apply('messages', { conversation_id: thread.id, id }, (row) => blanked('messages', row, agent_id)),
    );
    return () => ({ effects: [...written, ...once(told.flat())], after: next });
  };
}

/** Messages close in time find the same events: keeps one effect an event. */
function once(effects: readonly Effect<never>[]): Effect<never>[] {
  const known = new Map(effects.map((effect) => ['id' in effect ? effect.id : '', effect]));
  return [...known.values()];
}

/** Blanks its inbox down to seqs and ids, and its name in the events that other agents got at the same times. */
const inbox: AgentStage = async (read, { id: agent_id }, after) => {
  const rows = await read(eventsBehind, { agent_id, seq: Number(after || 0), limit: SLICE });
  const to = goneHandle(agent_id);
  const told = rows.map(async ({ id, handle, data }) => {
    const other = data['counterparty_handle'];
    const inbox_id = typeof other === 'string' && (await read.peek(handleById, { id: other }))?.agent_id;
    if (!inbox_id) return [];
    return renameTold(read, { inbox_id, near_id: id, to }, ({ counterparty_handle }) => counterparty_handle === handle);
  });
  const elsewhere = once((await Promise.all(told)).flat());
  return () => ({
    effects: [
      ...elsewhere,
      ...rows.map(({ id }) => apply('events', { agent_id, id }, (row) => blanked('events', row, agent_id))),
    ],
    after: rows.length === SLICE ? String(rows.at(-1)?.seq ?? 0) : null,
  });
};

const notes: AgentStage = async (read, { id }, after) => {
  const rows = await read(journalsOut, { account: `wallet:${id}`, n: Number(after || 0), limit: SLICE });
  const sends = rows.flatMap(({ journal }) => (journal.startsWith('send:') ? [journal.slice('send:'.length)] : []));
  const found = await Promise.all(sends.map((send_id) => read(sendById, { id: send_id })));
  return () => ({
    effects: found.flatMap((send) => (send ? blankRow('sends', send, id) : [])),
    after: rows.length === SLICE ? String(rows.at(-1)?.n ?? 0) : null,
  });
};

/** Its statements in disputes. The seals of evidence stay, so that the other side's statements can still be proven. */
function disputes(side: 'buyer' | 'seller'): AgentStage {
  const query = side === 'buyer' ? escrowsBought : escrowsSold;
  return async (read, { id: agent_id }, after) => {
    const rows = await read(query, { agent_id, after, limit: ESCROWS });
    const opened = (await Promise.all(rows.map(({ id }) => read(disputesOfEscrow, { escrow_id: id })))).flat();
    const evidence = (await Promise.all(opened.map(({ id }) => read(evidenceOf, { dispute_id: id })))).flat();
    return () => ({
      effects: [
        ...opened
          .filter(({ opened_by }) => opened_by === agent_id)
          .map(({ id }) => apply('disputes', id, (row) => blanked('disputes', row, agent_id))),
        ...evidence.filter(({ by }) => by === agent_id).flatMap((row) => blankRow('dispute_evidence', row, agent_id)),
      ],
      after: rows.length === ESCROWS ? (rows.at(-1)?.id ?? null) : null,
    });
  };
}

export const WORDS = {
  messages: [messages('opener'), messages('other')],
  events: [inbox],
  sends: [notes],
  disputes: [disputes('buyer'), disputes('seller')],
} satisfies Stages;

/** Each meeting with an address is also searched for in the other side's inbox. */
const MEETINGS_MOST = 50;

/** Conversations a turn; few have any meetings. */
const THREADS = 20;

/** An agent in one of its conversations, with the inbox of the other side. */
interface Side {
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly inbox_id: string;
}

/** A slice of a conversation's meetings after an id, and its last id where more may follow. */
async function unaddressed(read: Read, { agent_id, conversation_id, inbox_id }: Side, behind: string) {
  const rows = await read.peek(meetingsBehind, { conversation_id, after: behind, limit: MEETINGS_MOST });
  const effects: Effect<never>[] = [];
  for (const { id } of rows.filter(({ by_id, url }) => by_id === agent_id && url !== null)) {
    const near = { inbox_id, near_id: id, to: goneHandle(agent_id), without: ['url'] };
    const told = await renameTold(read, near, ({ meeting_id }) => meeting_id === id);
    effects.push(
      apply('meetings', id, (row) => blanked('meetings', row, agent_id)),
      ...told,
    );
  }
  return { effects, last: rows.length === MEETINGS_MOST ? (rows.at(-1)?.id ?? null) : null };
}

/** Those in the conversations that it opened, or that were opened with it. */
function meetings(side: 'opener' | 'other'): AgentStage {
  const query = side === 'opener' ? threadOpenedFrom : threadJoinedFrom;
  return async (read, { id: agent_id }, after) => {
    let [from = '', behind = ''] = after.split('|');
    const effects: Effect<never>[] = [];
    for (let looked = 0; looked < THREADS && effects.length < MEETINGS_MOST; looked++) {
      const thread = await read.peek(query, { agent_id, from });
      if (!thread) return () => ({ effects, after: null });
      const inbox_id = side === 'opener' ? thread.other_id : thread.opener_id;
      const at = { agent_id, conversation_id: thread.id, inbox_id };
      const slice = await unaddressed(read, at, thread.id === from ? behind : '');
      effects.push(...slice.effects);
      // After the last meeting of this conversation the walk goes on to the next one: no id sorts between an id and `id~`.
      [from, behind] = slice.last === null ? [`${thread.id}~`, ''] : [thread.id, slice.last];
    }
    return () => ({ effects, after: `${from}|${behind}` });
  };
}

export const MEETINGS_SET = { meetings: [meetings('opener'), meetings('other')] } satisfies Stages;

/** Conversations a turn; few have turns of the service. */
const TURN_THREADS = 20;

/** Above the twelve turns of an agent in one conversation. */
const TURNS_MAX = 100;

/** Those in the conversations that it opened, or that were opened with it. */
function turns(side: 'opener' | 'other'): AgentStage {
  const query = side === 'opener' ? threadOpenedFrom : threadJoinedFrom;
  return async (read, { id: agent_id }, after) => {
    const effects: Effect<never>[] = [];
    let from = after;
    for (let looked = 0; looked < TURN_THREADS; looked += 1) {
      const thread = await read.peek(query, { agent_id, from });
      if (!thread) return () => ({ effects, after: null });
      const rows = await read.peek(turnsOf, { conversation_id: thread.id, agent_id, limit: TURNS_MAX });
      effects.push(...rows.map(({ id }) => apply('turns', id, (row) => blanked('turns', row, agent_id))));
      // No id sorts between an id and `id~`.
      from = `${thread.id}~`;
    }
    return () => ({ effects, after: from });
  };
}

export const TURNS_TAKEN = { turns: [turns('opener'), turns('other')] } satisfies Stages;

/** Each request notified 25 sellers at most. */
const REQUESTS = 2;

/** Removes its name from the events of the notified sellers. */
async function unnamed(read: Read, { id, woken }: Row<'demand_requests'>, to: string): Promise<Effect<never>[]> {
  const told = woken.map((inbox_id) =>
    renameTold(read, { inbox_id, near_id: id, to }, ({ request_id }) => request_id === id),
  );
  return (await Promise.all(told)).flat();
}

const requests: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(demandBehind, { agent_id, after: '', limit: REQUESTS });
  const made = rows.map(async (row) => {
    const quotes = await read(allQuotesOf, { request_id: row.id, limit: SLICE });
    const taken = quotes.map((quote) => remove('demand_quotes', quote));
    // The request is removed in the same turn as its last quotes.
    if (quotes.length === SLICE) return taken;
    const open = row.status === 'open' ? [...afterDemand(row), unremind(CLOSE_DUE, row.id)] : [];
    return [...taken, ...(await unnamed(read, row, goneHandle(agent_id))), ...open, remove('demand_requests', row)];
  });
  const effects = (await Promise.all(made)).flat();
  return () => ({ effects, after: rows.length > 0 ? '' : null });
};

/** Removes a quote: the requester has one less to choose from, and the event about it loses the seller's name. */
async function withoutQuote(read: Read, quote: Row<'demand_quotes'>): Promise<Effect<never>[]> {
  const { id, request_id, agent_id } = quote;
  const request = await read.peek(demandById, { id: request_id });
  if (!request) return [remove('demand_quotes', quote)];
  const near = { inbox_id: request.agent_id, near_id: id, to: goneHandle(agent_id) };
  const told = await renameTold(read, near, ({ quote_id }) => quote_id === id);
  const less = apply('demand_requests', request_id, ({ quotes }) => ({ quotes: Math.max(0, quotes - 1) }));
  return [remove('demand_quotes', quote), ...(quote.status === 'standing' ? [less] : []), ...told];
}

const quotes: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(quotesBehind, { agent_id, after: '', limit: SLICE });
  const effects = new Map<string, Effect<never>[]>();
  for (const row of rows) effects.set(row.id, await withoutQuote(read, row));
  return consuming(rows, ({ id }) => effects.get(id) ?? []);
};

export const DEMAND = { demand_requests: [requests], demand_quotes: [quotes] } satisfies Stages;
