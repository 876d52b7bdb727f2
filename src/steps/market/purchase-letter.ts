// The receipt of a purchase, by letter to the address that the buyer named (Q116). It may be anybody's address, so the letter holds no
// word that either side wrote, and an account sends a few a day; beyond that the purchase stands and no letter is written.

import { count, type Effect } from '../../../db/effects.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { fundingJournal } from '../../domain/escrow/journal.ts';
import { dollars } from '../../domain/money/dollars.ts';
import type { Proceeds } from '../../domain/money/fee.ts';
import { DAY_MS } from '../../domain/time.ts';
import { purchaseLetter } from '../../outbound/mailer/letters.ts';
import { sendLetter } from '../letter.ts';

const LETTERS_MAX = 20;
const UNLIMITED = Number.MAX_SAFE_INTEGER;

function lettersKey(account_id: string, now_ms: number): string {
  return `purchase_letters:${account_id}:${Math.floor(now_ms / DAY_MS)}`;
}

/** How many such letters an account has sent today. */
export async function lettersSent(peek: Read['peek'], account_id: string, now_ms: number): Promise<number> {
  return (await peek(counterById, { id: lettersKey(account_id, now_ms) }))?.n ?? 0;
}

interface Sides {
  readonly buyer: string;
  readonly seller: string;
}

/** Sends the receipt of a purchase that was just made. */
export function sendReceipt(
  ctx: Ctx,
  { id, buyer_account_id, total_cents, terms }: Row<'escrows'>,
  { buyer, seller, proceeds, sent }: Sides & { readonly proceeds: Proceeds; readonly sent: number },
): Effect<never>[] {
  if (terms.buyer_email === null || sent >= LETTERS_MAX) return [];
  const { app_url } = ctx.settings;
  const ids = { escrow_id: id, journal_id: fundingJournal(id) };
  const { fee_cents, net_cents } = proceeds;
  const sums = { amount: dollars(total_cents), fee: dollars(fee_cents), net: dollars(net_cents) };
  const letter = purchaseLetter({ buyer, seller, ...sums }, ids, `${app_url}/escrows/${id}`);
  return [
    count(lettersKey(buyer_account_id, ctx.now_ms), UNLIMITED, 'again', ctx.now_ms + DAY_MS),
    sendLetter({ channel: 'mail', to: terms.buyer_email, ...letter }, ctx),
  ];
}
