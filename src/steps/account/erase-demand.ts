// What a deleted agent left on the demand board, taken away: its requests with all quotes for them, and its quotes for those of others.
// What came of one, a conversation and a deal, is the other side's too and stays.
import { apply, type Effect, remove } from '../../../db/effects.ts';
import { allQuotesOf, demandBehind, demandById, quotesBehind } from '../../../db/queries/demand.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { goneHandle } from '../../domain/identity/handle.ts';
import { CLOSE_DUE } from '../demand/close.ts';
import { afterDemand } from '../demand/find.ts';
import { unremind } from '../reminder.ts';
import { type AgentStage, consuming, SLICE, type Stages } from './erase.ts';
import { renameTold } from './rename-told.ts';

/** Each told 25 sellers at most of itself. */
const REQUESTS = 2;

/** Puts its name out of what the sellers were told. */
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
    // A request goes with the last of its quotes.
    if (quotes.length === SLICE) return taken;
    const open = row.status === 'open' ? [...afterDemand(row), unremind(CLOSE_DUE, row.id)] : [];
    return [...taken, ...(await unnamed(read, row, goneHandle(agent_id))), ...open, remove('demand_requests', row)];
  });
  const effects = (await Promise.all(made)).flat();
  return () => ({ effects, after: rows.length > 0 ? '' : null });
};

/** A requester has one quote less to choose from, and was told of it by somebody who has no name. */
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
