// The file of a dispute for an outside judge: agreement, deliverables, statements and movements of money. All of it is signed, so
// that it can be verified without trust in its presenter.
import { Type } from 'typebox';
import type { DeliverableColumn } from '../../../db/schema/escrow.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import { CLOSINGS, closingJournal, fundingJournal, releaseJournal } from '../../domain/escrow/escrow.ts';
import { isFault } from '../../domain/fault.ts';
import { words } from '../../schemas/authored.ts';
import { BoundsShape, boundsView } from '../../schemas/bounds.ts';
import { DisputeShape, disputeView } from '../../schemas/dispute.ts';
import { deliverablesOf, EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Cents, Id, iso, NullableText, nullable, PathId, Time } from '../../schemas/wire.ts';
import { loadDispute, namesIn } from '../../steps/dispute/find.ts';
import { handlesOf, type LoadedEscrow } from '../../steps/escrow/find.ts';
import { receiptedBy, receiptOf } from '../../steps/money/receipt.ts';

interface SealedDeliverable {
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

/** The deliverables of an escrow's milestones, in order. */
function sealedDeliverables({
  milestones,
  earlier,
}: Pick<LoadedEscrow, 'milestones' | 'earlier'>): SealedDeliverable[] {
  return milestones.flatMap((row) => deliverablesOf(row, earlier).map((each) => sealed(row.milestone_index, each)));
}

/** The ids of all journals that can move money into or out of an escrow. */
function journalIds({ escrow, milestones }: Pick<LoadedEscrow, 'escrow' | 'milestones'>): string[] {
  const closings = CLOSINGS.map((closing) => closingJournal(closing, escrow.id));
  return [fundingJournal(escrow.id), ...closings, ...milestones.map(({ id }) => releaseJournal(id))];
}

/** The signed receipts of all movements, for one side. */
async function receiptsOf(
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

const Deliverable = namedObject('SealedDeliverable', 'a deliverable, by its hash', {
  milestone_index: Type.Integer({ minimum: 0 }),
  submitted_at: Time,
  hash: Type.String({
    description:
      'SHA-256, base64url, of the JSON array [url, description, page_url, submitted_at], and [[name, url], …] behind it where it has links',
  }),
});

const Quoted = namedObject('QuotedService', 'a service as it was when bought', {
  listing_id: Id,
  slug: words(NullableText),
  headline: words(NullableText),
  tier_id: NullableText,
  tier_name: words(NullableText),
  price_cents: Cents,
});

const Approval = namedObject('Approval', 'the buyer, within the bounds at that time', {
  by: Type.Enum(['person', 'program'], { description: 'person: with a session; program: with a key' }),
  at: Time,
});

/** The agreement beside the escrow itself, as one of its sides reads it. */
function agreementOf({ terms, total_cents, buyer_id, created_at }: Row<'escrows'>, reader_id: string) {
  const { agreed, listing_id, slug, headline, tier_id, tier_name } = terms;
  const bounds = reader_id === buyer_id ? agreed?.buyer_bounds : agreed?.seller_bounds;
  return {
    quote: listing_id === null ? null : { listing_id, slug, headline, tier_id, tier_name, price_cents: total_cents },
    bounds_in_force: bounds ? boundsView(bounds) : null,
    approval: agreed ? { by: agreed.by, at: iso(created_at) } : null,
  };
}

export const disputeBundle = query({
  name: 'dispute.bundle',
  summary: 'Get the signed bundle of a dispute',
  description:
    'For the two sides of the escrow: the agreed terms (`escrow`), the listing as bought (`quote`), your bounds at ' +
    'that time, who approved the purchase, hashes of the deliverables, the dispute with all its evidence, and a signed receipt of ' +
    'each movement. `jws` signs all of it (EdDSA, typ `dispute-bundle+jwt`); verify it offline with the service’s JWKS.',
  input: Type.Object({ escrow_id: PathId }),
  output: namedObject('DisputeBundle', 'the signed bundle of a dispute', {
    generated_at: Time,
    escrow: EscrowShape,
    quote: nullable(Quoted, 'what was bought; null if it was no listing'),
    bounds_in_force: nullable(
      BoundsShape,
      'your own at the time of the agreement; null if they were not recorded then',
    ),
    approval: nullable(Approval),
    deliverables: Type.Array(Deliverable),
    dispute: DisputeShape,
    receipts: Type.Array(Type.String({ description: 'compact JWS' })),
    jws: Type.String({ description: 'compact JWS of all of the above' }),
  }),
  example: { escrow_id: SAMPLE.disputed_escrow_id },
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  faults: ['not_found', 'not_a_party'],
  rest: [{ method: 'GET', path: '/api/wallet/escrow/{escrow_id}/dispute/bundle' }],
  tools: [
    { name: 'mesh_get_dispute_bundle', title: 'Get the signed bundle of a dispute', set: 'wallet', extension: true },
  ],
  run: async (read, { escrow_id }, ctx, { documents }) => {
    const found = await loadDispute(read, escrow_id, ctx);
    if (isFault(found)) return found;
    const { state, dispute, evidence, side } = found;
    const { base_url } = ctx.settings;
    const deliverables = sealedDeliverables(state);
    const bundle = {
      generated_at: iso(ctx.now_ms),
      escrow: escrowView(state.escrow, state.milestones, handlesOf(state)),
      ...agreementOf(state.escrow, actor(ctx).id),
      deliverables: deliverables.map((each) => ({ ...each, submitted_at: iso(each.submitted_at) })),
      dispute: disputeView(dispute, evidence, namesIn(state, side), ctx.now_ms),
      receipts: await receiptsOf(read, documents, state, actor(ctx).id, base_url),
    };
    const iat = Math.floor(ctx.now_ms / 1_000);
    const jws = documents.sign('dispute-bundle+jwt', { iss: base_url, iat, sub: dispute.id, ...bundle });
    return { ...bundle, jws };
  },
});
