// How letters are stopped out of a mail program, by one click and without signing in (RFC 8058). The address in a letter's header names
// an account and a kind of letter, under a seal that only this service makes, so it needs no row and stops nothing else.
import { Type } from 'typebox';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import type { NotificationSettings } from '../../domain/inbox/notification-settings.ts';
import { hmac, sameSecret } from '../../outbound/hash.ts';
import type { Mail } from '../../outbound/mailer/mail.ts';
import { settingsOf } from '../../schemas/notification.ts';

/** The letters that can be unsubscribed: about events, and the daily digest. Others answer a person's own acts. */
export const LETTER_KINDS = ['events', 'digest'] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

export interface Unsubscription {
  readonly account_id: string;
  readonly kind: LetterKind;
}

const SEAL_CHARS = 40;

/** The token as a page's address has it. */
export const UNSUBSCRIBE_TOKEN = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'the token from the letter, which is the credential',
});

/** The settings that stop letters of a kind. */
export const STOPPED: Readonly<Record<LetterKind, Partial<NotificationSettings>>> = {
  events: { email: 'none' },
  digest: { digest: 'off' },
};

export function stops(kind: LetterKind, row: Row<'notification_settings'> | null): boolean {
  const { email, digest } = settingsOf(row);
  return kind === 'events' ? email === 'none' : digest === 'off';
}

/** The token of an address; the same each time, as a letter may be kept for years. */
export function unsubscribeToken({ account_id, kind }: Unsubscription, { secrets }: Pick<Ctx, 'secrets'>): string {
  return `${kind}.${account_id}.${hmac(secrets.code_key, `unsubscribe:${kind}:${account_id}`).slice(0, SEAL_CHARS)}`;
}

/** The letters that a token stops; null when this service did not make it. */
export function readUnsubscribe(token: string, ctx: Pick<Ctx, 'secrets'>): Unsubscription | null {
  const [name, account_id = ''] = token.split('.');
  const kind = LETTER_KINDS.find((each) => each === name);
  if (kind === undefined) return null;
  return sameSecret(token, unsubscribeToken({ account_id, kind }, ctx)) ? { account_id, kind } : null;
}

/** The fields of a letter by which its reader stops such letters. */
export function unsubscribeBy(
  account_id: string,
  kind: LetterKind,
  ctx: Pick<Ctx, 'secrets' | 'settings'>,
): Required<Pick<Mail, 'unsubscribe' | 'one_click'>> {
  const token = unsubscribeToken({ account_id, kind }, ctx);
  return { unsubscribe: `${ctx.settings.app_url}/unsubscribe/${token}`, one_click: true };
}
