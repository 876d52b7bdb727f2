// Adds a piece of evidence, which is permanent. The respondent's first one is their answer.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import {
  disputeFault,
  EVIDENCE_MAX,
  evidenceFault,
  LINK_MAX,
  LINKS_MAX,
  phaseAt,
} from '../../domain/escrow/dispute.ts';
import { codeWord, fault, isFault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { DisputeShape, disputeView } from '../../schemas/dispute.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { loadDispute, namesIn, roleScopeFault } from '../../steps/dispute/find.ts';
import { firstWord } from '../../steps/dispute/respond.ts';

interface Said {
  readonly by: string;
  readonly statement: string;
  readonly links: readonly string[];
}

/** The seal of a piece: SHA-256, base64url, of the JSON array of the previous seal (for the first: the dispute's id) and its content. */
function sealOf(
  previous: string,
  { by, statement, links, created_at }: Pick<Row<'dispute_evidence'>, 'by' | 'statement' | 'links' | 'created_at'>,
): string {
  return Bun.SHA256.hash(JSON.stringify([previous, by, statement, links, created_at]), 'base64url');
}

function pieceOf(
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

/** Stores a piece; `set` holds other changes of the dispute. */
function addPiece(
  dispute: Row<'disputes'>,
  piece: Row<'dispute_evidence'>,
  set: Partial<Omit<Row<'disputes'>, 'id' | 'version'>> = {},
): Effect<never>[] {
  return [
    insert('dispute_evidence', piece),
    patch('disputes', dispute, { ...set, evidence: piece.n, evidence_hash: piece.hash }),
  ];
}

/** A cheap limit in characters at or above the limit in bytes, checked first. */
const STATEMENT_MAX = 8_192;

export const disputeEvidence = command({
  name: 'dispute.evidence',
  summary: 'Add evidence to a dispute',
  description: describe`For either side until \`respond_by\`: a statement, links, or both; evidence can be added but not changed. The respondent's first evidence counts as its answer. After \`respond_by\` the error is ${codeWord('window_closed')}, without an open dispute ${codeWord('not_open')}. The side that opened the dispute needs \`payments:write\`.`,
  input: namedObject('EvidenceInput', 'evidence of a side of a dispute', {
    escrow_id: PathId,
    statement: Type.Optional(Type.String({ maxLength: STATEMENT_MAX })),
    links: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: LINK_MAX }), {
        maxItems: LINKS_MAX,
        description: 'http or https',
      }),
    ),
  }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.disputed_escrow_id, statement: 'The parcel was weighed at the counter.' },
  effect: 'adds',
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  status: 'created',
  faults: [
    'not_found',
    'not_a_party',
    'insufficient_scope',
    'invalid_request',
    'window_closed',
    'not_open',
    'already_resolved',
    'wrong_role',
    'conflict',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/dispute/evidence' }],
  tools: [{ name: 'mesh_dispute_evidence', title: 'Add evidence to a dispute', set: 'wallet' }],
  load: (read, { escrow_id }, ctx) => loadDispute(read, escrow_id, ctx),
  decide: (found, { statement = '', links = [] }, ctx) => {
    if (isFault(found)) return found;
    const { dispute, evidence, role, side, state } = found;
    const refusal =
      roleScopeFault(ctx, role) ??
      disputeFault(phaseAt(dispute, ctx.now_ms), 'evidence', role) ??
      evidenceFault(statement, links);
    if (refusal) return refusal;
    if (evidence.filter(({ by }) => by === actor(ctx).id).length >= EVIDENCE_MAX) {
      return fault('conflict', `A side can give at most ${EVIDENCE_MAX} pieces of evidence.`);
    }
    const piece = pieceOf(ctx, dispute, { by: actor(ctx).id, statement, links });
    const word = firstWord(ctx, found, statement);
    return {
      reply: disputeView({ ...dispute, ...word.set }, [...evidence, piece], namesIn(state, side), ctx.now_ms),
      effects: [...word.effects, ...addPiece(dispute, piece, word.set)],
    };
  },
});
