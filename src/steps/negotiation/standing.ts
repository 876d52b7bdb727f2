// The effect of proposals on their conversation: which one is open, whose person it waits for, and the phase, which moves one step at
// a time (rules.md 6). Applied under the lock of the conversation's row.
import { insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { isUnderWay, PHASES, type Phase } from '../../domain/conversation/conversation.ts';

type Conversation = Row<'conversations'>;
type Live = Pick<Row<'proposals'>, 'id' | 'status' | 'escalated_to' | 'expires_at'>;

/** One step from a phase towards another. */
function towards(from: Phase, to: Phase): Phase {
  const [at, goal] = [PHASES.indexOf(from), PHASES.indexOf(to)];
  return PHASES[at + Math.sign(goal - at)] ?? from;
}

/** A conversation's columns after its remaining proposals, newest first. Expired ones are ignored. */
export function standing(
  left: readonly Live[],
  to: Phase,
  now_ms: number,
): (now: Conversation) => Partial<Conversation> {
  const live = left.filter(({ expires_at }) => expires_at > now_ms);
  const open = live.find(({ status }) => status === 'open') ?? null;
  const escalated_to = live.find((row) => row.escalated_to !== null)?.escalated_to ?? null;
  return (now) => ({
    proposal_id: open?.id ?? null,
    escalated_to,
    phase: towards(now.phase, to),
    ...(isUnderWay(now.status) && { status: escalated_to === null ? 'open' : 'escalated' }),
  });
}

/** Makes a turn decide again when the proposals that it read have changed: the unique number alone does not detect that, because withheld
 * ones are numbered separately. */
export function asStood({
  proposal_id,
  escalated_to,
}: Pick<Conversation, 'proposal_id' | 'escalated_to'>): (now: Conversation) => 'again' | null {
  return (now) => (now.proposal_id === proposal_id && now.escalated_to === escalated_to ? null : 'again');
}

/** Whose word it is: that of a person, of a program, or of a policy by which a person's silence counts. */
function wordOf({ principal, approved }: Ctx): Row<'approvals'>['by'] {
  if (principal.kind === 'session') return 'person';
  return approved ? 'policy' : 'program';
}

/** Bounds for permanent storage: policies name counterparties by id, without handles. */
function unnamed(bounds: Row<'agents'>['bounds']): Row<'agents'>['bounds'] {
  const { policies } = bounds;
  return policies ? { ...bounds, policies: policies.map((policy) => ({ ...policy, handle: null })) } : bounds;
}

/** The immutable record of a side's decision on a proposal, or on its program's request. */
export function recordDecision(
  ctx: Ctx,
  { id, bounds }: Pick<Row<'agents'>, 'id' | 'bounds'>,
  { id: subject_id, amount_cents }: Pick<Row<'proposals'>, 'id' | 'amount_cents'>,
  decision: 'approve' | 'reject',
  subject: 'proposal' | 'action' = 'proposal',
): ReturnType<typeof insert<'approvals'>> {
  return insert('approvals', {
    id: ctx.id(),
    agent_id: id,
    subject,
    subject_id,
    decision,
    amount_cents,
    by: wordOf(ctx),
    credential_id: ctx.principal.credential_id,
    bounds: unnamed(bounds),
    created_at: ctx.now_ms,
  });
}
