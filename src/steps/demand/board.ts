// Reads of the demand board: one request with its poster, and the open ones, soonest closing first, with what each reader may
// see.

import { agentById } from '../../../db/queries/agent.ts';
import { demandById, openDemand, type PostedDemand } from '../../../db/queries/demand.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { Page } from '../../contract/reply.ts';
import { type Fault, invalid } from '../../domain/fault.ts';
import type { DemandReader } from '../../schemas/demand.ts';
import { siftedPage } from '../page.ts';
import type { FoundDemand } from './close.ts';

/** The filter: requests with any of the labels, and at least a budget. */
interface DemandWanted {
  readonly labels: readonly string[];
  readonly min_budget_cents: number;
}

function fitsOf({ labels, min_budget_cents }: DemandWanted): ((posted: PostedDemand) => boolean) | null {
  if (labels.length === 0 && min_budget_cents === 0) return null;
  return ({ request }) =>
    request.budget_cents >= min_budget_cents &&
    (labels.length === 0 || labels.some((label) => request.labels.includes(label)));
}

/** A page of the board after a request; 400 for an invalid cursor. */
export async function boardPage(
  read: Read,
  wanted: DemandWanted,
  { cursor, limit, now_ms }: { readonly cursor: string | undefined; readonly limit: number; readonly now_ms: number },
): Promise<Page<PostedDemand> | Fault<'invalid_request'>> {
  const last = cursor === undefined ? null : await read.peek(demandById, { id: cursor });
  if (cursor !== undefined && !last) return invalid({ path: 'cursor', message: 'This cursor is not valid.' });
  // A cursor names a request, whose place is its closing time.
  const places = new Map([[last?.id ?? '', last?.closes_at ?? 0]]);
  return siftedPage({
    from: last?.id ?? '',
    limit,
    read: async (after, most) => {
      const closes_at = places.get(after) ?? 0;
      // A request that closes at this instant is closed.
      const from = closes_at > now_ms ? { closes_at, after } : { closes_at: now_ms, after: HIGHEST_ID };
      const rows = await read(openDemand, { ...from, limit: most });
      for (const { request } of rows) places.set(request.id, request.closes_at);
      return rows;
    },
    cursorOf: ({ request }) => request.id,
    textOf: ({ request }) => `${request.headline}${request.description}`,
    fits: fitsOf(wanted),
  });
}

/** Whether the caller sees full rows: a signed-in person, or a key with either of the scopes (rules.md 3). */
export function seesWhole({ principal }: Ctx): boolean {
  const { kind, scopes } = principal;
  return kind === 'session' || scopes.has('marketplace:read') || scopes.has('deals:read');
}

/** The caller's role in a request: its person, signed in, acts for any of the account's agents. */
export function readerOf({ request }: PostedDemand, { agent, principal, account_id, now_ms }: Ctx): DemandReader {
  const personally = principal.kind === 'session' && account_id === request.account_id;
  return { requests: personally || agent?.id === request.agent_id, now_ms };
}

/** Reads a request and its poster with their versions: a concurrent end makes the turn decide again. */
export async function findDemand(read: Read, request_id: string): Promise<FoundDemand | null> {
  const request = await read(demandById, { id: request_id });
  const requester = request && (await read(agentById, { id: request.agent_id }));
  return request && requester ? { request, requester } : null;
}
