// Scheduled checks of an agent: two weeks of silence mark its badges as failing (interface.md item 7), and the event is sent
// at that time, not at the next read; the card of its endpoint is read each day.
import { Type } from 'typebox';
import { type ApplyEffect, apply, type RemindEffect } from '../../../db/effects.ts';
import type { EndpointColumn } from '../../../db/schema/agent.ts';
import { SILENCE_MS } from '../../domain/agent/presence.ts';
import { DAY_MS } from '../../domain/time.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** The call that checks whether an agent is silent; `told` when its silence was already reported. */
export const WATCH_SILENCE = {
  name: 'trust.watch',
  input: Type.Object({ agent_id: Id, told: Type.Optional(Type.Boolean()) }),
} as const;

/** Schedules the check for when an agent last seen at `seen_at` (epoch milliseconds) would be silent. */
export function watchSilence(agent_id: string, seen_at: number, now_ms: number): RemindEffect {
  return remind(WATCH_SILENCE, { agent_id }, { at: seen_at + SILENCE_MS, key: agent_id, now_ms });
}

/** Schedules the check whether a silent agent is back, after the same time. */
export function watchReturn(agent_id: string, now_ms: number): RemindEffect {
  return remind(WATCH_SILENCE, { agent_id, told: true }, { at: now_ms + SILENCE_MS, key: agent_id, now_ms });
}

export const CHECK_ENDPOINT = { name: 'endpoint.check', input: Type.Object({ agent_id: Id }) } as const;

/** Schedules the next check, after a day by default. */
export function checkLater(agent_id: string, now_ms: number, pause_ms = DAY_MS): RemindEffect {
  return remind(CHECK_ENDPOINT, { agent_id }, { at: now_ms + pause_ms, key: agent_id, now_ms });
}

/** Stores what a check found, unless the agent's address has changed since. */
export function keepCard(agent_id: string, registered: string, a2a_card: EndpointColumn): ApplyEffect<never> {
  return apply('agents', agent_id, (row) => (row.a2a_url === registered ? { a2a_card } : {}));
}
