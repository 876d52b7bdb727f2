// Records a seller's delivery of a milestone, or the page on which its buyer wants a link. It releases nothing. People and the service
// open the address of a delivery, so it must be one that the service may call.
import { type Static, Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { type Delivery, type Given, nextPlace, readDelivery } from '../../domain/escrow/deliverable.ts';
import { milestoneFault } from '../../domain/escrow/escrow.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { autoReleaseAt, EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { isoOrNull, PathId, visibleText } from '../../schemas/wire.ts';
import { acceptedBy } from '../../steps/escrow/delivered.ts';
import { handlesOf, type LoadedEscrow, loadEscrow, sideIn } from '../../steps/escrow/find.ts';
import { autoReleaseLater } from '../../steps/escrow/terms.ts';
import { tell } from '../../steps/event.ts';
import { urlFault } from '../../steps/outside.ts';

const FAULTS = [
  'not_found',
  'not_a_party',
  'wrong_role',
  'invalid_request',
  'no_such_milestone',
  'already_released',
  'escrow_not_active',
  'window_closed',
  'conflict',
] as const;

const URL_MAX = 2_000;
const Url = Type.String({ minLength: 1, maxLength: URL_MAX });

interface Delivered {
  readonly row: Row<'milestones'>;
  /** The deliveries that it replaces. */
  readonly before: readonly Row<'earlier_deliverables'>[];
  readonly effects: readonly Effect<never>[];
}

/** The row that keeps a replaced delivery. */
function kept({ id, escrow_id, milestone_index, deliverable }: Row<'milestones'>): Row<'earlier_deliverables'>[] {
  if (deliverable === null) return [];
  const { n = 1 } = deliverable;
  return [{ id: `${id}.${n}`, escrow_id, milestone_index, n, deliverable }];
}

/** The milestone after a delivery, and its effects. */
function delivered(
  ctx: Ctx,
  { escrow, buyer, seller }: LoadedEscrow,
  milestone: Row<'milestones'>,
  delivery: Delivery,
): Delivered | Fault<'conflict' | 'invalid_request' | 'window_closed'> {
  if ('backlink' in delivery) {
    if (milestone.deliverable !== null)
      return fault('conflict', 'The seller has delivered already; the requirement cannot change.');
    const row = { ...milestone, backlink: delivery.backlink };
    return { row, before: [], effects: [patch('milestones', milestone, { backlink: delivery.backlink })] };
  }
  const { page_url } = delivery.deliverable;
  if (page_url !== null && milestone.backlink === null)
    return invalid({ path: 'page_url', message: 'The buyer asked for no link here; give `url`.' });
  if (milestone.deliverable === null && escrow.expires_at !== null && escrow.expires_at <= ctx.now_ms)
    return fault('window_closed');
  const n = nextPlace(milestone.deliverable);
  if (isFault(n)) return n;
  const deliverable = { ...delivery.deliverable, by: seller.id, at: ctx.now_ms, n, seen_at: null };
  const before = kept(milestone);
  const row = { ...milestone, deliverable };
  const auto_release_at = autoReleaseAt(escrow, row);
  const told = {
    escrow_id: escrow.id,
    conversation_id: escrow.conversation_id,
    milestone_index: milestone.milestone_index,
    counterparty_handle: seller.handle,
    auto_release_at: isoOrNull(auto_release_at),
  };
  return {
    row,
    before,
    effects: [
      ...before.map((each) => insert('earlier_deliverables', each)),
      patch('milestones', milestone, { deliverable }),
      ...autoReleaseLater(escrow, row, ctx.now_ms),
      ...acceptedBy(ctx, buyer.id, milestone, null),
      tell(ctx, buyer, 'escrow.delivered', told, {
        subject_id: milestone.id,
        ...(auto_release_at !== null && { respond_by: auto_release_at }),
      }),
    ],
  };
}

/** The fault of the first address that the service may not call. */
async function addressFault(
  ports: Parameters<typeof urlFault>[0],
  { url, page_url, links = [] }: Given,
): Promise<Fault<'invalid_request'> | null> {
  const named = links.map((link, at) => urlFault(ports, link.url, `links.${at}.url`));
  const looked = await Promise.all([urlFault(ports, url, 'url'), urlFault(ports, page_url, 'page_url'), ...named]);
  return looked.find((each) => each !== null) ?? null;
}

/** The change that a side makes to a milestone of its escrow. */
function handedOver(
  state: LoadedEscrow,
  given: Given,
  ctx: Ctx,
): Decision<Static<typeof EscrowShape>, (typeof FAULTS)[number]> {
  const { escrow, milestones } = state;
  const side = sideIn(escrow, actor(ctx).id);
  const delivery = side ? readDelivery(side, given) : fault('not_a_party');
  if (isFault(delivery)) return delivery;
  const first = milestones.find(({ status }) => status === 'held') ?? milestones[0];
  const milestone = given.milestone_index === undefined ? first : milestones[given.milestone_index];
  const refusal = milestoneFault(escrow.status, milestone);
  if (refusal) return refusal;
  if (!milestone) return fault('no_such_milestone');
  const changed = delivered(ctx, state, milestone, delivery);
  if (isFault(changed)) return changed;
  const rows = milestones.map((row) => (row === milestone ? changed.row : row));
  const earlier = [...state.earlier, ...changed.before];
  return { reply: escrowView(escrow, rows, handlesOf({ ...state, earlier })), effects: changed.effects };
}

export const escrowDeliver = flow({
  name: 'escrow.deliver',
  summary: 'Submit a deliverable',
  description: describe`The seller gives a public https URL, and the buyer gets \`escrow.delivered\`. It releases nothing, but restarts \`auto_release_after_days\` if the escrow has it. Earlier submissions are kept (\`deliverables\`), up to 20 per milestone. Before delivery the buyer may require a link on a page with \`type: backlink\`; the seller then gives \`page_url\`, and ${step('escrow.verify_deliverable')} releases the milestone once the link is there.`,
  input: namedObject('DeliverableInput', 'a deliverable, or, by the buyer, the required link', {
    escrow_id: PathId,
    milestone_index: Type.Optional(
      Type.Integer({ minimum: 0, description: 'default: the first unreleased one; required for the buyer' }),
    ),
    url: Type.Optional(Url),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    page_url: Type.Optional(Type.String({ minLength: 1, maxLength: URL_MAX, description: 'the page with the link' })),
    links: Type.Optional(
      Type.Array(namedObject('DeliverableLink', 'a file or page by its name', { name: visibleText(100), url: Url }), {
        maxItems: 10,
        description: 'more files or pages, by name; at most 10',
      }),
    ),
    type: Type.Optional(Type.Literal('backlink')),
    target_url: Type.Optional(
      Type.String({ minLength: 1, maxLength: URL_MAX, description: 'by the buyer: the target of the link' }),
    ),
    require_dofollow: Type.Optional(Type.Boolean({ description: 'by the buyer; default: true' })),
  }),
  output: EscrowShape,
  example: { escrow_id: SAMPLE.sold_escrow_id, url: 'https://ropes.example/draft', description: 'The draft' },
  effect: 'changes',
  open_world: true,
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  faults: FAULTS,
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/deliverable' }],
  tools: [{ name: 'mesh_submit_deliverable', title: 'Submit a deliverable', set: 'wallet', extension: true }],
  run: async ({ escrow_id, ...given }, ctx, ports) => {
    const unusable = await addressFault(ports, given);
    if (unusable) return unusable;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const state = await loadEscrow(read, escrow_id, ctx);
        return isFault(state) ? state : handedOver(state, given, ctx);
      },
    });
  },
});
