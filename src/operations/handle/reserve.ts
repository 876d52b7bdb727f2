// Reserves a handle for an address for a day, before sign-up. It uses the same row as a claim, so a reservation and a
// claim can never both succeed (Q106).

import { Type } from 'typebox';
import { count, type Effect, insert, patch } from '../../../db/effects.ts';
import { handleById } from '../../../db/queries/agent.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { handleFault } from '../../domain/disclosure/disclosure.ts';
import { fault, isFault, tooMany } from '../../domain/fault.ts';
import { isReserved, parseHandle, RESERVATION_MS } from '../../domain/identity/handle.ts';
import { clientOf } from '../../domain/identity/rate.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { DAY_MS } from '../../domain/time.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, HandleInput, iso, Time } from '../../schemas/wire.ts';
import { isHeld } from '../../steps/handle/claim.ts';

/** Enough to change the choice twice, too few to hoard names. */
const A_DAY = 3;

function countReservation(ctx: Ctx): Effect<'rate_limited'>[] {
  if (!ctx.settings.rate_limits) return [];
  const start_ms = Math.floor(ctx.now_ms / DAY_MS) * DAY_MS;
  const ends_at = start_ms + DAY_MS;
  const quota = { limit: A_DAY, window_ms: DAY_MS, wait_ms: ends_at - ctx.now_ms };
  const refusal = tooMany(quota, `At most ${A_DAY} handles a day can be reserved from one address.`);
  return [count(`reserve:ip:${clientOf(ctx.ip)}:${start_ms}`, A_DAY, refusal, ends_at)];
}

export const handleReserve = command({
  name: 'handle.reserve',
  summary: 'Reserve a handle for a day',
  description: 'For 24 hours only the account of this address can claim the handle. A repeat does not extend it.',
  input: Type.Object({ handle: HandleInput, email: Email }),
  output: namedObject('HandleReservation', 'a handle reserved for an address', {
    reserved: Type.Literal(true),
    handle: Type.String(),
    expires_at: Time,
  }),
  example: { handle: SAMPLE.free_handle, email: SAMPLE.free_email },
  effect: 'adds',
  access: 'public',
  faults: ['invalid_request', 'disclosure_refused', 'handle_taken', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/reserve-handle' }],
  no_tool: 'It is for people without an account; with a key mesh_register claims the handle at once.',
  load: async (read, input) => {
    const handle = parseHandle(input.handle);
    return { handle, row: isFault(handle) ? null : await read(handleById, { id: handle }) };
  },
  decide: ({ handle, row }, input, ctx) => {
    if (isFault(handle)) return handle;
    const email = parseEmail(input.email);
    if (isFault(email)) return email;
    const told = handleFault(handle);
    if (told) return told;
    const taken = fault('handle_taken');
    if (isReserved(handle, ctx.settings.platform_handle)) return taken;
    if (row && isHeld(row, ctx.now_ms)) {
      const own = row.kind === 'reservation' && row.email === email;
      return own ? { reply: { reserved: true as const, handle, expires_at: iso(row.expires_at ?? 0) } } : taken;
    }
    const expires_at = ctx.now_ms + RESERVATION_MS;
    const kept = { kind: 'reservation' as const, agent_id: null, email, expires_at };
    return {
      reply: { reserved: true as const, handle, expires_at: iso(expires_at) },
      effects: [
        ...countReservation(ctx),
        row ? patch('handles', row, kept) : insert('handles', { id: handle, ...kept }, taken),
      ],
    };
  },
});
