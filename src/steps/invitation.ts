// Creates an invitation: its link allows one account to be created, whatever the signup rule is. Only a hash of the token is stored.
import type { Static } from 'typebox';
import { type Effect, insert } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Decision } from '../../db/store.ts';
import type { Ctx } from '../contract/context.ts';
import { invalid, isFault } from '../domain/fault.ts';
import { type SendLimit, sendLimits } from '../domain/identity/code.ts';
import { parseEmail } from '../domain/mail/email.ts';
import { DAY_MS } from '../domain/time.ts';
import { sha256Hex } from '../outbound/hash.ts';
import { invitationLetter } from '../outbound/mailer/letters.ts';
import { letterWordsFor } from '../outbound/mailer/words/words.ts';
import { type InvitationInput, invitationView, type MadeInvitation } from '../schemas/invitation.ts';
import { sendLetter } from './letter.ts';
import { secretText } from './link.ts';
import { sendCounters } from './session/code.ts';

const LIFE_DAYS = 14;

/** The most invitations a member may send a day; administrators have no limit. */
const PER_DAY = 10;

const TOO_MANY = 'You have reached the limit of invitations for today.';

/** The stored hash of a link's token. */
export function invitationHash(token: string): string {
  return sha256Hex(token);
}

interface Maker {
  readonly by: Row<'invitations'>['by'];
  readonly account_id: string | null;
  /** Their address, which the letter names. */
  readonly email: string | null;
}

/** Creates an invitation, with a letter if requested. */
export function makeInvitation(
  input: Static<typeof InvitationInput>,
  maker: Maker,
  ctx: Ctx,
): Decision<Static<typeof MadeInvitation>, 'invalid_request' | 'rate_limited'> {
  const email = input.email === undefined ? null : parseEmail(input.email);
  if (isFault(email)) return email;
  const mailed = input.mail === true;
  if (mailed && email === null) return invalid({ path: 'email', message: 'Give the address to mail it to.' });
  const token = secretText(ctx);
  const { by, account_id } = maker;
  const row: Row<'invitations'> = {
    id: ctx.id(),
    ...{ account_id, by, email, bound: email === null ? 0 : 1, hash: invitationHash(token) },
    ...{
      used_by: null,
      used_at: null,
      created_at: ctx.now_ms,
      expires_at: ctx.now_ms + LIFE_DAYS * DAY_MS,
      version: 1,
    },
  };
  const url = `${ctx.settings.app_url}/invite/${token}`;
  const own: SendLimit[] = by === 'member' ? [{ key: `invite:${account_id}`, limit: PER_DAY, window_ms: DAY_MS }] : [];
  const letter: Effect<never>[] =
    mailed && email !== null
      ? [
          sendLetter(
            {
              channel: 'mail',
              to: email,
              ...invitationLetter(maker.email, url, LIFE_DAYS, letterWordsFor(ctx.principal)),
            },
            ctx,
          ),
        ]
      : [];
  const limits = [...own, ...(mailed && email !== null ? sendLimits(email, ctx.ip) : [])];
  return {
    reply: { ...invitationView(row), url, mailed },
    effects: [...sendCounters(limits, ctx, TOO_MANY), insert('invitations', row), ...letter],
  };
}
