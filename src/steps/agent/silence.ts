// The watch over an agent that somebody vouches for: two weeks without a sign mark its badges as failing (interface.md item 7), which is
// told when it happens, not when somebody looks.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import { SILENCE_MS } from '../../domain/agent/presence.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** The call that looks whether an agent is silent; `told` where its silence is known. */
export const WATCH_SILENCE = {
  name: 'trust.watch',
  input: Type.Object({ agent_id: Id, told: Type.Optional(Type.Boolean()) }),
} as const;

/** Looks when an agent that was last seen at `seen_at`, in epoch milliseconds, would be silent. */
export function watchSilence(agent_id: string, seen_at: number, now_ms: number): RemindEffect {
  return remind(WATCH_SILENCE, { agent_id }, { at: seen_at + SILENCE_MS, key: agent_id, now_ms });
}

/** Looks after as long again whether a silent agent is back. */
export function watchReturn(agent_id: string, now_ms: number): RemindEffect {
  return remind(WATCH_SILENCE, { agent_id, told: true }, { at: now_ms + SILENCE_MS, key: agent_id, now_ms });
}
