// What a deleted agent said and was told, taken away or put under a name that is nobody's. What it wrote to another agent is that
// one's record and stays readable; what it said of money and disputes goes, and the ledger keeps the bare ids.
import { apply, type Effect } from '../../../db/effects.ts';
import { handleById } from '../../../db/queries/agent.ts';
import { evidenceOf } from '../../../db/queries/dispute.ts';
import {
  disputesOfEscrow,
  escrowsBought,
  escrowsSold,
  eventsBehind,
  journalsOut,
  messagesBehind,
  threadJoinedFrom,
  threadOpenedFrom,
} from '../../../db/queries/leaving.ts';
import { sendById } from '../../../db/queries/wallet.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import { goneHandle } from '../../domain/identity/handle.ts';
import { type AgentStage, SLICE, type Stages } from './erase.ts';
import { blankRow } from './erase-owned.ts';
import { renameTold } from './rename-told.ts';

/** Each message is looked for in the other side's inbox. */
const MESSAGES = 50;

/** Escrows a turn: each may have had six disputes of a hundred pieces, though hardly any had one. */
const ESCROWS = 10;

/** The messages that it wrote, in the threads that it opened or that were opened with it, and what the other side was told of
 * them. */
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
    // Past all positions of this thread begins the next one: no id stands between one and its own with a letter more.
    const next = rows.length === MESSAGES ? `${thread.id}|${rows.at(-1)?.n ?? 0}` : `${thread.id}~|0`;
    const written = own.map(({ id }) => apply('messages', id, (row) => blanked('messages', row, agent_id)));
    return () => ({ effects: [...written, ...once(told.flat())], after: next });
  };
}

/** Messages that follow each other closely find the same events. */
function once(effects: readonly Effect<never>[]): Effect<never>[] {
  const known = new Map(effects.map((effect) => ['id' in effect ? effect.id : '', effect]));
  return [...known.values()];
}

/** Its inbox keeps its seqs, and tells nothing but ids. What it told of another agent, that one was told of it. */
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
    effects: [...elsewhere, ...rows.map(({ id }) => apply('events', id, (row) => blanked('events', row, agent_id)))],
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

/** What it said in disputes. The seals of evidence stand, so that what the other side said can still be proven. */
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
