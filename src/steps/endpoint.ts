// An agent's own A2A endpoint as its card describes it: looked for when the address is set, and again every day. A look asks
// the world, so it is a background task, or a part of a push that needs its answer; never of a turn.

import { Type } from 'typebox';
import { type ApplyEffect, apply, type RemindEffect } from '../../db/effects.ts';
import type { EndpointColumn } from '../../db/schema/agent.ts';
import { type CardInterface, usableInterfaces } from '../domain/agent/foreign-card.ts';
import { DAY_MS } from '../domain/time.ts';
import { fetchCard, judgeSignature } from '../outbound/agent-card.ts';
import type { SafeHttp } from '../outbound/safe-http/safe-http.ts';
import { Id } from '../schemas/wire.ts';
import { remind } from './reminder.ts';

export const CHECK = { name: 'endpoint.check', input: Type.Object({ agent_id: Id }) } as const;

/** Asks for the next look, after a day unless said. */
export function checkLater(agent_id: string, now_ms: number, pause_ms = DAY_MS): RemindEffect {
  return remind(CHECK, { agent_id }, { at: now_ms + pause_ms, key: agent_id, now_ms });
}

type Http = Pick<SafeHttp, 'request' | 'check'>;

/** The best of the ways that a card names, of those that may be called at all. */
async function firstSafe(http: Http, ways: readonly CardInterface[]): Promise<CardInterface | null> {
  for (const way of ways) if ((await http.check(way.url)) === null) return way;
  return null;
}

/** What the card of an address says; null when the host gave no answer, so that nothing is known. */
export async function lookAtEndpoint(
  http: Http,
  registered: string,
  now_ms: number,
  gone: AbortSignal,
): Promise<EndpointColumn | null> {
  const found = await fetchCard(
    http,
    registered,
    (card, place) => usableInterfaces(card, registered, place).length > 0,
    gone,
  );
  if (found.is === 'unreachable') return null;
  const way = found.is === 'card' && (await firstSafe(http, usableInterfaces(found.card, registered, found.place)));
  if (!way) {
    const unknown = { url: registered, dialect: null, binding: 'JSONRPC', tenant: null, signature: 'none' } as const;
    return { ...unknown, checked_at: now_ms };
  }
  const signature = await judgeSignature(http, found.card, found.place.url, gone);
  return { ...way, signature, checked_at: now_ms };
}

/** Keeps what a look found, unless the agent has another address by now. */
export function keepCard(agent_id: string, registered: string, a2a_card: EndpointColumn): ApplyEffect<never> {
  return apply('agents', agent_id, (row) => (row.a2a_url === registered ? { a2a_card } : {}));
}
