// What is outstanding, for operators: held money, debts of accounts, webhooks that are off.
import { heldInEscrows, openReceivables, webhooksOff } from '../../db/queries/outstanding.ts';
import type { Read } from '../../db/store.ts';

export interface Outstanding {
  readonly escrows: { readonly n: number; readonly cents: number };
  readonly receivables: { readonly n: number; readonly cents: number };
  readonly webhooks_off: number;
}

export async function readOutstanding(read: Read): Promise<Outstanding> {
  const none = { n: 0, cents: 0 };
  const [escrows, receivables, off] = await Promise.all([
    read(heldInEscrows, {}),
    read(openReceivables, {}),
    read(webhooksOff, {}),
  ]);
  return { escrows: escrows ?? none, receivables: receivables ?? none, webhooks_off: off?.n ?? 0 };
}
