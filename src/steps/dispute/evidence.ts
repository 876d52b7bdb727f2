// Evidence: each piece stands for good, sealed by a hash over the piece before it and itself, so that none can be changed or left
// out later without the rest showing it.
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';

export interface Said {
  readonly by: string;
  readonly statement: string;
  readonly links: readonly string[];
}

/** The seal of a piece: SHA-256, base64url, of the JSON array of the seal before it (of the first: its dispute's id) and all that it
 * says. */
function sealOf(
  previous: string,
  { by, statement, links, created_at }: Pick<Row<'dispute_evidence'>, 'by' | 'statement' | 'links' | 'created_at'>,
): string {
  return Bun.SHA256.hash(JSON.stringify([previous, by, statement, links, created_at]), 'base64url');
}

export function pieceOf(
  ctx: Ctx,
  dispute: Pick<Row<'disputes'>, 'id' | 'evidence' | 'evidence_hash'>,
  said: Said,
): Row<'dispute_evidence'> {
  const n = dispute.evidence + 1;
  const piece = { ...said, created_at: ctx.now_ms };
  return {
    id: `${dispute.id}.${n}`,
    dispute_id: dispute.id,
    n,
    ...piece,
    hash: sealOf(dispute.evidence_hash || dispute.id, piece),
  };
}

/** Stores a piece; `set` is what else changes of the dispute with it. */
export function addPiece(
  dispute: Row<'disputes'>,
  piece: Row<'dispute_evidence'>,
  set: Partial<Omit<Row<'disputes'>, 'id' | 'version'>> = {},
): Effect<never>[] {
  return [
    insert('dispute_evidence', piece),
    patch('disputes', dispute, { ...set, evidence: piece.n, evidence_hash: piece.hash }),
  ];
}
