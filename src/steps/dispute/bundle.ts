// The file of a dispute: all that the service can state of it, in one signed document that a third party checks without asking
// (JWS by the keys of /.well-known/jwks.json). What was handed over stands in it by its hash.
import type { DeliverableColumn } from '../../../db/schema/escrow.ts';
import type { Read } from '../../../db/store.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import { CLOSINGS, closingJournal, fundingJournal, releaseJournal } from '../../domain/escrow/journal.ts';
import { deliverablesOf } from '../../schemas/escrow.ts';
import type { LoadedEscrow } from '../escrow/find.ts';
import { receiptedBy, receiptOf } from '../money/receipt.ts';

export interface SealedDeliverable {
  readonly milestone_index: number;
  readonly submitted_at: number;
  /** SHA-256, base64url, of the JSON array of its address, description, page and time (ISO 8601), and its links where it has any. */
  readonly hash: string;
}

function sealed(
  milestone_index: number,
  { url, description, page_url, at, links = [] }: DeliverableColumn,
): SealedDeliverable {
  const named = links.length > 0 ? [links.map((link) => [link.name, link.url])] : [];
  const text = JSON.stringify([url, description, page_url, new Date(at).toISOString(), ...named]);
  return { milestone_index, submitted_at: at, hash: Bun.SHA256.hash(text, 'base64url') };
}

/** What was handed over for the milestones of an escrow, in their order. */
export function sealedDeliverables({
  milestones,
  earlier,
}: Pick<LoadedEscrow, 'milestones' | 'earlier'>): SealedDeliverable[] {
  return milestones.flatMap((row) => deliverablesOf(row, earlier).map((each) => sealed(row.milestone_index, each)));
}

/** The journals by which money came into an escrow and went out, as their ids are made. */
function journalIds({ escrow, milestones }: Pick<LoadedEscrow, 'escrow' | 'milestones'>): string[] {
  const closings = CLOSINGS.map((closing) => closingJournal(closing, escrow.id));
  return [fundingJournal(escrow.id), ...closings, ...milestones.map(({ id }) => releaseJournal(id))];
}

/** The signed receipts of all that moved, for one of its sides. */
export async function receiptsOf(
  read: Read,
  documents: Pick<QueryPorts['documents'], 'sign'>,
  state: Pick<LoadedEscrow, 'escrow' | 'milestones'>,
  agent_id: string,
  issuer: string,
): Promise<string[]> {
  const found = await Promise.all(journalIds(state).map((id) => receiptedBy(read, id, agent_id)));
  const booked = found.flatMap((each) => (each ? [each] : []));
  return Promise.all(booked.map((each) => receiptOf(read, documents, each, issuer)));
}
