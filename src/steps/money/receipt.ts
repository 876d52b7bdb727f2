// Receipts: signed statements about a journal for its parties, made when read. Each names the ledger's newest seal, so that a
// history without the journal would break the chain that the receipt's holder can prove.
import { escrowById } from '../../../db/queries/escrow.ts';
import { journalById, newestDay, transfersOf } from '../../../db/queries/ledger.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { QueryPorts } from '../../contract/ports.ts';

const RECEIPTED: ReadonlySet<string> = new Set([
  'send',
  'escrow',
  'release',
  'settle',
  'refund',
  'charge',
  'hold_settle',
]);

/** A journal with its transfers, as one of its parties may see it. */
export interface Receipted {
  readonly journal: Row<'journals'>;
  readonly transfers: readonly Row<'transfers'>[];
}

/** The journal, if there are receipts of it and the agent is a party: one of the wallets, or a side of the escrow. */
export async function receiptedBy(read: Read, journal_id: string, agent_id: string): Promise<Receipted | null> {
  const journal = await read(journalById, { id: journal_id });
  if (!journal || !RECEIPTED.has(journal.kind)) return null;
  const transfers = await read(transfersOf, { journal: journal_id });
  const own: readonly string[] = [`wallet:${agent_id}`, `held:${agent_id}`];
  const isParty = transfers.some(({ debit, credit }) => own.includes(debit) || own.includes(credit));
  const escrow = isParty || journal.subject_id === null ? null : await read(escrowById, { id: journal.subject_id });
  return isParty || escrow?.buyer_id === agent_id || escrow?.seller_id === agent_id ? { journal, transfers } : null;
}

/** The receipt, as a compact JWS. */
export async function receiptOf(
  read: Read,
  documents: Pick<QueryPorts['documents'], 'sign'>,
  { journal, transfers }: Receipted,
  issuer: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const head = await read(newestDay, {});
  const { id, kind, subject_id, created_at } = journal;
  return documents.sign('receipt+jwt', {
    iss: issuer,
    iat: Math.floor(created_at / 1_000),
    jti: id,
    kind,
    subject_id,
    currency: 'USD',
    transfers: transfers.map(({ debit, credit, amount_cents }) => ({ debit, credit, amount_cents })),
    ledger_head: head && { day: head.id, hash: head.hash },
    ...more,
  });
}
