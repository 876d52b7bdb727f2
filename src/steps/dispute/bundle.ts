// The file of a dispute: all that the service can state of it, in one signed document that a third party checks without asking
// (JWS by the keys of /.well-known/jwks.json). What was handed over stands in it by its hash.
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { CLOSINGS, closingJournal, fundingJournal, releaseJournal } from '../../domain/escrow/journal.ts';
import type { QueryPorts } from '../../operations/context.ts';
import type { LoadedEscrow } from '../escrow/find.ts';
import { receiptedBy, receiptOf } from '../money/receipt.ts';

/** A deliverable by its seal. */
export interface SealedDeliverable {
  readonly milestone_index: number;
  readonly submitted_at: number;
  /** SHA-256, base64url, of the JSON array of its address, description, page and time (ISO 8601). */
  readonly hash: string;
}

function sealedDeliverable({ milestone_index, deliverable }: Row<'milestones'>): SealedDeliverable[] {
  if (deliverable === null) return [];
  const { url, description, page_url, at } = deliverable;
  const text = JSON.stringify([url, description, page_url, new Date(at).toISOString()]);
  return [{ milestone_index, submitted_at: at, hash: Bun.SHA256.hash(text, 'base64url') }];
}

/** What was handed over for the milestones of an escrow, in their order. */
export function sealedDeliverables(milestones: readonly Row<'milestones'>[]): SealedDeliverable[] {
  return milestones.flatMap(sealedDeliverable);
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
