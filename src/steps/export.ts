// The data export, a slice at a time, oldest first: messages, receipts (signed when they are read), an agent's knowledge, and this
// side's part of rows that two sides share (interface.md item 12).

import type { Static } from 'typebox';
import { actionsOf } from '../../db/queries/action.ts';
import { wholeMessagesBehind } from '../../db/queries/export.ts';
import { knowledgeOfAgent } from '../../db/queries/knowledge.ts';
import { threadJoinedFrom, threadOpenedFrom } from '../../db/queries/leaving.ts';
import { exported } from '../../db/schema/personal-columns.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { QueryPorts } from '../contract/ports.ts';
import { isKept, versionOf } from '../domain/negotiation/proposal.ts';
import type { ExportedReceipt, TakenMessage } from '../schemas/export.ts';
import { knowledgeView } from '../schemas/knowledge.ts';
import { agreedFor } from '../schemas/proposal.ts';
import { receiptedBy, receiptOf } from './money/receipt.ts';
import { statementPage } from './money/statement.ts';

/** A signature costs some 50 microseconds, and what it is about is looked up. */
const RECEIPTS = 100;

interface Asked {
  readonly agent_id: string;
  readonly cursor?: string | undefined;
  readonly issuer: string;
  readonly now_ms: number;
}

/** A page of them, newest first. */
export async function takeReceipts(
  read: Read,
  documents: Pick<QueryPorts['documents'], 'sign'>,
  { agent_id, cursor, issuer, now_ms }: Asked,
): Promise<{ readonly items: Static<typeof ExportedReceipt>[]; readonly next_cursor: string | null }> {
  const from = cursor !== undefined && /^[1-9]\d{0,14}$/.test(cursor) ? { cursor } : {};
  const page = await statementPage(read, agent_id, { limit: RECEIPTS, ...from }, now_ms);
  const items: Static<typeof ExportedReceipt>[] = [];
  for (const { balance_after_cents: _after, reference_id: _of, note: _note, ...entry } of page.items) {
    const receipted = await receiptedBy(read, entry.journal_id, agent_id);
    items.push({ ...entry, receipt: receipted && (await receiptOf(read, documents, receipted, issuer)) });
  }
  return { items, next_cursor: page.next_cursor };
}

/** A slice; `after` is where the next one begins, null where nothing follows. */
export interface Taken<T> {
  readonly rows: readonly T[];
  readonly after: string | null;
}

/** Threads that are looked into for one slice. */
const THREADS_MAX = 50;

/** Messages of all threads of an agent: those that it opened, then those that were opened with it. */
export async function takeMessages(
  read: Read,
  agent_id: string,
  after: string,
  limit: number,
): Promise<Taken<TakenMessage>> {
  const rows: TakenMessage[] = [];
  let [side = 'opener', from = '', position = '0'] = after === '' ? [] : after.split('.');
  for (let looked = 0; looked < THREADS_MAX && rows.length < limit; looked++) {
    const thread = await read(side === 'opener' ? threadOpenedFrom : threadJoinedFrom, { agent_id, from });
    if (!thread) {
      if (side === 'other') return { rows, after: null };
      [side, from, position] = ['other', '', '0'];
      continue;
    }
    const n = thread.id === from ? Number(position) : 0;
    const wanted = limit - rows.length;
    const found = await read(wholeMessagesBehind, { conversation_id: thread.id, n, limit: wanted });
    rows.push(...found.map((row) => ({ ...row, own: row.sender_id === agent_id })));
    const whole = found.length < wanted;
    // Behind all positions of a thread begins the next one.
    [from, position] = whole ? [`${thread.id}~`, '0'] : [thread.id, String(found.at(-1)?.n ?? n)];
  }
  return { rows, after: `${side}.${from}.${position}` };
}

/** The accounts of a row, without the other side's, which would reveal the agents that belong to one person. */
function ownAccount(
  {
    buyer_id,
    buyer_account_id,
    seller_account_id,
  }: Pick<Row<'escrows'>, 'buyer_id' | 'buyer_account_id' | 'seller_account_id'>,
  reader_id: string,
) {
  const buys = buyer_id === reader_id;
  return { buyer_account_id: buys ? buyer_account_id : null, seller_account_id: buys ? null : seller_account_id };
}

/** An escrow for one of its sides: bounds, buyer and the receipt's address only for the side that they belong to. */
export function escrowOf(row: Row<'escrows'>, reader_id: string): object {
  const { agreed, buyer_email, ...terms } = row.terms;
  const buys = row.buyer_id === reader_id;
  const { by = null, buyer_bounds = null, seller_bounds = null } = agreed ?? {};
  const own = buys ? { buyer_email, agreed: { by, buyer_bounds } } : { agreed: { seller_bounds } };
  return exported('escrows', { ...row, ...ownAccount(row, reader_id), terms: { ...terms, ...own } });
}

/** A subscription for one of its sides: the key that began it is the buyer's. */
export function subscriptionOf(
  row: Row<'subscriptions'>,
  reader_id: string,
): Pick<Row<'subscriptions'>, 'id' | 'key_id'> {
  return { ...row, ...ownAccount(row, reader_id), key_id: row.buyer_id === reader_id ? row.key_id : null };
}

/** The proposals that a side was shown, with what it may know: its own bound and answer, and the other's answer once it was told. */
export function proposalsOf(rows: readonly Row<'proposals'>[], reader_id: string): object[] {
  return rows
    .filter((row) => !isKept(row, reader_id))
    .map(({ number, ...row }) => {
      const buys = row.buyer_id === reader_id;
      const agreed = agreedFor(row, reader_id);
      const is_own = row.bound === (buys ? 'max_pay_cents' : 'min_charge_cents');
      return exported('proposals', {
        ...row,
        number: versionOf(number),
        buyer_at: agreed.includes(row.buyer_id) ? row.buyer_at : null,
        seller_at: agreed.includes(row.seller_id) ? row.seller_at : null,
        buyer_pays: buys ? row.buyer_pays : null,
        bound: is_own ? row.bound : null,
        escalated_to: row.escalated_to === reader_id ? reader_id : null,
      });
    });
}

/** Entries of a slice; their texts are long. */
const SLICE = 20;

/** A slice of an agent's entries, newest first, before an id. */
export async function takeKnowledge(read: Read, agent_id: string, before: string): Promise<Taken<object>> {
  const rows = await read.peek(knowledgeOfAgent, { agent_id, before, limit: SLICE });
  return { rows: rows.map(knowledgeView), after: rows.length === SLICE ? (rows.at(-1)?.id ?? null) : null };
}

/** The same for its programs' requests outside its bounds; a stored answer may be long. */
export async function takeActions(read: Read, agent_id: string, before: string): Promise<Taken<object>> {
  const rows = await read.peek(actionsOf, { agent_id, before, limit: SLICE });
  return {
    rows: rows.map((row) => exported('actions', row)),
    after: rows.length === SLICE ? (rows.at(-1)?.id ?? null) : null,
  };
}
