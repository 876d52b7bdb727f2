// An agent's payments with their receipts, which are signed when they are read: some hundred at a time, so that nobody waits for
// the signatures.
import type { Read } from '../../../db/store.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import { receiptedBy, receiptOf } from '../money/receipt.ts';
import { statementPage } from '../money/statement.ts';

/** A signature costs some 50 microseconds, and what it is about is looked up. */
const RECEIPTS = 100;

interface Asked {
  readonly agent_id: string;
  readonly cursor?: string | undefined;
  readonly issuer: string;
  readonly now_ms: number;
}

/** What is taken along of a payment. */
export interface TakenReceipt extends Readonly<Record<string, string | number | null>> {
  readonly journal_id: string;
  readonly kind: string;
  readonly amount_cents: number;
  readonly counterparty_handle: string | null;
  readonly at: string;
  readonly receipt: string | null;
}

/** A page of them, newest first. */
export async function takeReceipts(
  read: Read,
  documents: Pick<QueryPorts['documents'], 'sign'>,
  { agent_id, cursor, issuer, now_ms }: Asked,
): Promise<{ readonly items: TakenReceipt[]; readonly next_cursor: string | null }> {
  const from = cursor !== undefined && /^[1-9]\d{0,14}$/.test(cursor) ? { cursor } : {};
  const page = await statementPage(read, agent_id, { limit: RECEIPTS, ...from }, now_ms);
  const items: TakenReceipt[] = [];
  for (const { journal_id, kind, amount_cents, counterparty_handle, at } of page.items) {
    const receipted = await receiptedBy(read, journal_id, agent_id);
    const receipt = receipted && (await receiptOf(read, documents, receipted, issuer));
    items.push({ journal_id, kind, amount_cents, counterparty_handle, at, receipt });
  }
  return { items, next_cursor: page.next_cursor };
}
