// Codes mailed to an address: how one is sent and how one is checked. Shared by signup, login and sessions, so that the
// limits, the five tries and the ten minutes hold alike for all of them (rules.md 3).
import { Type } from 'typebox';
import { apply, count, type Effect, insert, patch, remove } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { type Code, type Fault, fault, isFault, tooMany } from '../../domain/fault.ts';
import {
  CODE_LIFE_MS,
  CODE_TRIES,
  mintCode,
  type SendLimit,
  sendLimits,
  windowOf,
} from '../../domain/identity/code.ts';
import type { Language } from '../../domain/language.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { codeHash, codeSalt, sameSecret } from '../../outbound/hash.ts';
import { codeLetter } from '../../outbound/mailer/letters.ts';
import type { CodePurpose } from '../../outbound/mailer/words/en.ts';
import { letterWords } from '../../outbound/mailer/words/words.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { ClientName, Email } from '../../schemas/wire.ts';
import { sendLetter } from '../letter.ts';

/** The row id of the one live code for a purpose and an address. */
export function codeId(purpose: string, address: string): string {
  return `${purpose}:${address}`;
}

/** Whether a call is counted; calls by the operator's platform token never are. */
export function isCounted({ settings, principal }: Ctx): boolean {
  return settings.rate_limits && principal.kind !== 'platform';
}

/** Guarded counters of everything that bounds how often codes are sent, or something else is tried. */
export function sendCounters(
  limits: readonly SendLimit[],
  ctx: Ctx,
  message = 'Too many codes were sent; wait before asking for another.',
): Effect<'rate_limited'>[] {
  if (!isCounted(ctx)) return [];
  return limits.map((of) => {
    const { id, ends_at } = windowOf(of, ctx.now_ms);
    return count(id, of.limit, tooMany({ ...of, wait_ms: ends_at - ctx.now_ms }, message), ends_at);
  });
}

/** Puts a fresh code in the place of the last one; answers its six digits and the effects. */
export function freshCode(
  id: string,
  previous: Row<'codes'> | null,
  data: Record<string, string>,
  ctx: Ctx,
): { code: string; effects: Effect<'conflict'>[] } {
  const code = mintCode(ctx.random(8));
  const hash = codeHash(code, codeSalt(ctx.secrets.code_key, id));
  const row = { hash, data, tries: 0, sent_at: ctx.now_ms, expires_at: ctx.now_ms + CODE_LIFE_MS };
  const effect = previous ? patch('codes', previous, row) : insert('codes', { id, ...row }, fault('conflict'));
  return { code, effects: [effect] };
}

/** The recipient of a mailed code. */
export interface Addressee {
  readonly email: string;
  /** Of the letter; null where none is known. */
  readonly language: Language | null;
  /** The counter of addresses of its domain without an account; null when it has one. */
  readonly domain: SendLimit | null;
  /** Whether nothing is sent, because that counter is full or the address may not join; the answer is the same. */
  readonly silent: boolean;
}

/** A code to send: its row, and its letter. */
interface SentCode<C extends Code> {
  readonly rows: readonly Effect<C>[];
  readonly letter: Effect<never>;
}

/** What is sent to an address, with its counters. A suppressed code counts too and allows as many tries, so that the caller cannot
 * tell the difference. */
export function sentTo<C extends Code>(
  { email, domain, silent }: Addressee,
  { rows, letter }: SentCode<C>,
  ctx: Ctx,
  beside: readonly SendLimit[] = [],
): Effect<C | 'rate_limited'>[] {
  const counted = [...sendCounters([...beside, ...sendLimits(email, ctx.ip)], ctx), ...rows];
  if (silent) return counted;
  if (domain === null) return [...counted, letter];
  const { id, ends_at } = windowOf(domain, ctx.now_ms);
  return [...counted, count(id, domain.limit, 'again', ends_at), letter];
}

/** The recipient of a code, and the previous code. */
export type AskedCode = { to: Addressee; code: Row<'codes'> | null } | Fault<'invalid_request'>;

/** The refusal after the last try of a code; a new one may be requested at once. */
const BURNT = { retry_after_seconds: 1, limit: CODE_TRIES, window_seconds: CODE_LIFE_MS / 1000 };

type CodeFault = 'invalid_code' | 'too_many_tries';

/** Whether a code is right. A right one is used up by `effects`; a wrong one burns a try, on disk, before the refusal. */
export function checkCode(
  row: Row<'codes'> | null,
  code: string,
  ctx: Ctx,
): { effects: Effect<never>[] } | (Fault<CodeFault> & { effects?: Effect<never>[] }) {
  if (!row || row.expires_at <= ctx.now_ms) return fault('invalid_code');
  if (row.tries >= CODE_TRIES) return fault('too_many_tries', undefined, BURNT);
  if (!sameSecret(row.hash, codeHash(code, codeSalt(ctx.secrets.code_key, row.id)))) {
    return { ...fault('invalid_code'), effects: [apply('codes', row.id, (now) => ({ tries: now.tries + 1 }))] };
  }
  return { effects: [remove('codes', row)] };
}

/** Input and output of requesting a code by mail, for signup and login: the same for every address, so that neither the answer nor the
 * mail server's traffic reveals which addresses have accounts (Q95). */
export const CODE_BY_MAIL = {
  input: Type.Object({ email: Email, client_name: Type.Optional(ClientName) }),
  output: Type.Object({ sent: Type.Boolean() }),
  example: { email: SAMPLE.email },
  effect: 'adds',
  open_world: true,
  access: 'public',
  signs_in: true,
  faults: ['invalid_request', 'rate_limited', 'conflict'],
  no_tool: BEFORE_A_KEY,
} as const;

/** Sends the code that `readAsked` allowed by mail: counters, the code's row, the letter. */
export function mailAsked(
  purpose: CodePurpose,
  asked: AskedCode,
  ctx: Ctx,
): Decision<{ sent: true }, 'invalid_request' | 'rate_limited' | 'conflict'> {
  if (isFault(asked)) return asked;
  const { to, code: previous } = asked;
  const { code, effects: rows } = freshCode(codeId(purpose, to.email), previous, {}, ctx);
  const said = codeLetter(purpose, code, CODE_LIFE_MS / MINUTE_MS, letterWords(to.language));
  const letter = sendLetter({ channel: 'mail', to: to.email, ...said }, ctx);
  return { reply: { sent: true }, effects: sentTo(to, { rows, letter }, ctx) };
}
