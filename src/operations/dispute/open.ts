// Disputes an escrow: its releases stop, and the other side has 72 hours to answer.
import { Type } from 'typebox';
import { count, type Effect, insert, patch } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { OPENINGS_MAX, REASON_MAX, RESPOND_MS } from '../../domain/escrow/dispute.ts';
import { activeFault, unreleasedCents } from '../../domain/escrow/escrow.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { disputeOpenedLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { DisputeShape, disputeView } from '../../schemas/dispute.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso, PathId } from '../../schemas/wire.ts';
import { record } from '../../steps/agent/record.ts';
import { EXPIRE_DISPUTE, WARN_BEFORE_MS } from '../../steps/dispute/expire.ts';
import { namesIn } from '../../steps/dispute/find.ts';
import { acceptedBy } from '../../steps/escrow/delivered.ts';
import { type LoadedEscrow, loadEscrow, sideIn } from '../../steps/escrow/find.ts';
import { tell } from '../../steps/event.ts';
import { sendLetter } from '../../steps/letter.ts';
import { remind } from '../../steps/reminder.ts';

function opened(ctx: Ctx, { escrow, buyer, seller }: LoadedEscrow, reason: string): Row<'disputes'> {
  const opener = actor(ctx).id;
  return {
    id: ctx.id(),
    escrow_id: escrow.id,
    opened_by: opener,
    respondent: opener === buyer.id ? seller.id : buyer.id,
    reason,
    status: 'open',
    respond_by: ctx.now_ms + RESPOND_MS,
    responded_at: null,
    unreleased_cents: unreleasedCents(escrow),
    proposal: null,
    resolution: null,
    evidence: 0,
    evidence_hash: '',
    created_at: ctx.now_ms,
    ended_at: null,
    version: 1,
  };
}

function effectsOf(
  ctx: Ctx,
  { escrow, milestones, buyer, seller }: LoadedEscrow,
  dispute: Row<'disputes'>,
): Effect<'dispute_limit'>[] {
  const { id, opened_by, respondent, respond_by, reason } = dispute;
  const data = { escrow_id: escrow.id, dispute_id: id, respond_by: iso(respond_by), reason };
  const told = (side: { id: string; handle: string }): Effect<never> =>
    tell(
      ctx,
      side,
      'escrow.dispute_opened',
      {
        ...data,
        counterparty_handle: (side.id === buyer.id ? seller : buyer).handle,
        your_role: side.id === respondent ? 'respondent' : 'opener',
      },
      // Only the respondent is asked for an answer.
      side.id === respondent ? { subject_id: id, respond_by } : {},
    );
  return [
    count(`disputes:${escrow.id}:${opened_by}`, OPENINGS_MAX, fault('dispute_limit')),
    patch('escrows', escrow, { status: 'disputed', dispute_id: id }),
    insert('disputes', dispute),
    ...milestones
      .filter(({ status }) => status === 'held')
      .flatMap((row) => acceptedBy(ctx, buyer.id, row, opened_by === buyer.id ? 'dispute' : null)),
    remind(EXPIRE_DISPUTE, { dispute_id: id }, { at: respond_by - WARN_BEFORE_MS, key: id, now_ms: ctx.now_ms }),
    ...record(ctx, respondent, (now) => ({ disputes_against: now.disputes_against + 1 })),
    told(buyer),
    told(seller),
  ];
}

/** The letter to the person who has to answer. */
function asked(
  ctx: Ctx,
  { to, zone }: { readonly to: Row<'accounts'> | null; readonly zone: string | undefined },
  dispute: Row<'disputes'>,
): Effect<never>[] {
  if (!to?.email) return [];
  const { respond_by: until, unreleased_cents: cents, escrow_id } = dispute;
  const told = { handle: `@${actor(ctx).handle}`, cents, until, zone };
  const letter = disputeOpenedLetter(told, `${ctx.settings.app_url}/escrows/${escrow_id}`, letterWordsFor(to));
  return [sendLetter({ channel: 'mail', to: to.email, ...letter }, ctx)];
}

export const disputeOpen = command({
  name: 'dispute.open',
  noun: 'Disputes about escrows: evidence, proposals and resolution.',
  summary: 'Dispute an escrow',
  description: describe`For either side of an active escrow that still holds money. Releases stop. The other side has 72 hours (\`respond_by\`) to answer with evidence or a proposal; an unanswered dispute is decided in full for the side that opened it. Each side may open three per escrow. ${step('dispute.read')} shows its state.`,
  input: namedObject('DisputeInput', 'why an escrow is disputed', {
    escrow_id: PathId,
    reason: Type.String({ minLength: 1, maxLength: REASON_MAX }),
  }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.escrow_id, reason: 'The rope is shorter than agreed.' },
  effect: 'changes',
  access: 'key',
  scope: 'payments:write',
  agent: 'required',
  status: 'created',
  faults: ['not_found', 'not_a_party', 'invalid_request', 'escrow_not_active', 'nothing_unreleased', 'dispute_limit'],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/dispute' }],
  tools: [{ name: 'mesh_open_dispute', title: 'Dispute an escrow', set: 'wallet' }],
  load: async (read, { escrow_id }, ctx) => {
    const state = await loadEscrow(read, escrow_id, ctx);
    if (isFault(state)) return state;
    const { buyer_id, buyer_account_id, seller_account_id } = state.escrow;
    const account_id = buyer_id === actor(ctx).id ? seller_account_id : buyer_account_id;
    const [to, wants] = await Promise.all([
      read.peek(accountById, { id: account_id }),
      read.peek(notificationSettings, { id: account_id }),
    ]);
    return { ...state, to, zone: wants?.quiet_hours?.tz };
  },
  decide: (state, { reason }, ctx) => {
    if (isFault(state)) return state;
    if (reason.trim() === '') return invalid({ path: 'reason', message: 'Say what is wrong.' });
    const { escrow } = state;
    const refusal = activeFault(escrow.status);
    if (refusal) return refusal;
    if (unreleasedCents(escrow) === 0) return fault('nothing_unreleased');
    const dispute = opened(ctx, state, reason);
    const names = namesIn({ ...state, escrow: { ...escrow, status: 'disputed' } }, sideIn(escrow, actor(ctx).id));
    return {
      reply: disputeView(dispute, [], names, ctx.now_ms),
      effects: [...effectsOf(ctx, state, dispute), ...asked(ctx, state, dispute)],
    };
  },
});
