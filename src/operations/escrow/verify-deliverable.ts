// Checks whether a page holds the link that the buyer asked for, and releases the milestone if it does. If not, the money stays, and
// both sides are told why. Each check is recorded before it is made, so that a page is read once a minute at most.
import { type Static, Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { milestoneFault } from '../../domain/escrow/escrow.ts';
import { LINK_FAULT, linkFaultText } from '../../domain/escrow/link-fault.ts';
import { type Fault, fault, isFault, tooMany } from '../../domain/fault.ts';
import { eventWords } from '../../domain/words/events.ts';
import { findBacklink, type LinkVerdict } from '../../outbound/page/backlink.ts';
import { EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso, nullable, PathId, Time } from '../../schemas/wire.ts';
import { handlesOf, type LoadedEscrow, loadEscrow, sideIn } from '../../steps/escrow/find.ts';
import { releaseMilestone } from '../../steps/escrow/settle.ts';
import { tell } from '../../steps/event.ts';

const PAUSE_MS = 60_000;
/** For the page, including the wait for a free place at its host. */
const LOOK_MS = 15_000;

const Checked = namedObject('DeliverableCheck', 'the result of checking a page', {
  verified: Type.Boolean(),
  milestone_index: Type.Integer({ minimum: 0 }),
  checked_at: Time,
  reason: nullable(Type.String(), 'why it is not; null if it is'),
  code: nullable(LINK_FAULT.code, 'the same as a code'),
  status: LINK_FAULT.status,
  escrow: EscrowShape,
});

type Refusal =
  | 'not_found'
  | 'not_a_party'
  | 'insufficient_scope'
  | 'no_such_milestone'
  | 'already_released'
  | 'escrow_not_active'
  | 'rate_limited'
  | 'conflict'
  | 'open_obligations';

/** A milestone with a page to check. */
type Checkable = Row<'milestones'> & {
  readonly backlink: NonNullable<Row<'milestones'>['backlink']>;
  readonly deliverable: NonNullable<Row<'milestones'>['deliverable']>;
};

const pageOf = ({ page_url, url }: Checkable['deliverable']): string => page_url ?? url ?? '';

const NOTHING_TO_CHECK =
  'No milestone waits for a page check: the buyer sets the required link, the seller gives the page.';

function isCheckable(row: Row<'milestones'> | undefined): row is Checkable {
  return row !== undefined && row.backlink !== null && row.deliverable !== null;
}

/** The buyer's key needs the scope to spend, since the check may pay; the seller's the scope to deliver. */
function scopeFault({ escrow }: LoadedEscrow, ctx: Ctx): Fault<'insufficient_scope'> | null {
  const { kind, scopes } = ctx.principal;
  const required_scope = sideIn(escrow, actor(ctx).id) === 'buyer' ? 'payments:write' : 'deals:write';
  if (kind !== 'key' || scopes.has(required_scope)) return null;
  return fault('insufficient_scope', undefined, { required_scope });
}

interface Looked {
  readonly state: LoadedEscrow;
  readonly milestone: Checkable;
}

async function find(
  read: Read,
  { escrow_id, milestone_index }: { escrow_id: string; milestone_index?: number },
  ctx: Ctx,
): Promise<Looked | Fault<Refusal>> {
  const state = await loadEscrow(read, escrow_id, ctx);
  if (isFault(state)) return state;
  const barred = scopeFault(state, ctx);
  if (barred) return barred;
  const { escrow, milestones } = state;
  const waiting = milestones.find((row) => row.status === 'held' && isCheckable(row));
  const milestone =
    milestone_index === undefined ? (waiting ?? milestones.find(isCheckable)) : milestones[milestone_index];
  const refusal = milestoneFault(escrow.status, milestone);
  if (refusal) return refusal;
  return isCheckable(milestone) ? { state, milestone } : fault('no_such_milestone', NOTHING_TO_CHECK);
}

/** Records that a check starts now, unless one was made within the last minute. */
function begin(found: Looked | Fault<Refusal>, ctx: Ctx): Decision<Looked, Refusal> {
  if (isFault(found)) return found;
  const { milestone } = found;
  const wait_ms = (milestone.checked_at ?? Number.NEGATIVE_INFINITY) + PAUSE_MS - ctx.now_ms;
  if (wait_ms > 0) return tooMany({ limit: 1, window_ms: PAUSE_MS, wait_ms }, 'A page can be checked once a minute.');
  return { reply: found, effects: [patch('milestones', milestone, { checked_at: ctx.now_ms })] };
}

function conclude(
  found: Looked | Fault<Refusal>,
  seen: Checkable,
  verdict: LinkVerdict,
  ctx: Ctx,
): Decision<Static<typeof Checked>, Refusal> {
  if (isFault(found)) return found;
  const { state, milestone } = found;
  const { milestone_index, deliverable, backlink } = milestone;
  const isSame = pageOf(deliverable) === pageOf(seen.deliverable) && backlink.target_url === seen.backlink.target_url;
  if (!isSame || backlink.require_dofollow !== seen.backlink.require_dofollow) return fault('conflict');
  const said = { milestone_index, checked_at: iso(ctx.now_ms) };
  if (verdict.holds) {
    const { escrow, milestones, effects } = releaseMilestone(ctx, state, milestone, 'evidence');
    const shown = escrowView(escrow, milestones, handlesOf(state));
    return { reply: { ...said, verified: true, reason: null, code: null, status: null, escrow: shown }, effects };
  }
  const { why } = verdict;
  const reason = linkFaultText(why.code, why.status, eventWords()['escrow.verification_failed'].why) ?? why.code;
  const data = { escrow_id: state.escrow.id, milestone_index, reason, ...why };
  const shown = escrowView(state.escrow, state.milestones, handlesOf(state));
  return {
    reply: { ...said, verified: false, reason, ...why, escrow: shown },
    effects: [state.buyer, state.seller].map((side) => tell(ctx, side, 'escrow.verification_failed', data)),
  };
}

/** Checks the page within the deadline. */
async function look({ http, tasks }: Pick<FlowPorts, 'http' | 'tasks'>, row: Checkable): Promise<LinkVerdict> {
  const page_url = pageOf(row.deliverable);
  const host = URL.parse(page_url)?.host ?? '';
  const work = (gone: AbortSignal): Promise<LinkVerdict> => findBacklink(http, page_url, row.backlink, gone);
  const verdict = await tasks.call({ hosts: [host], deadline_ms: LOOK_MS, looks: true, work });
  return verdict ?? { holds: false, why: { code: 'timeout', status: null } };
}

export const escrowVerifyDeliverable = flow({
  name: 'escrow.verify_deliverable',
  summary: 'Check for the required link, and release the milestone',
  description:
    'Reads the seller’s page and looks for the link that the buyer required. If it is there, the milestone is ' +
    'released; if not, the money stays, and both get `escrow.verification_failed` with the reason. Links marked nofollow, ' +
    'ugc or sponsored, and noindex pages, count only if the buyer does not require dofollow. Either side ' +
    'may call it once a minute: the buyer with `payments:write`, the seller with `deals:write`.',
  input: Type.Object({
    escrow_id: PathId,
    milestone_index: Type.Optional(
      Type.Integer({ minimum: 0, description: 'default: the first that waits for a page check' }),
    ),
  }),
  output: Checked,
  example: { escrow_id: SAMPLE.sold_escrow_id },
  effect: 'spends',
  open_world: true,
  access: 'key',
  scope: 'any',
  agent: 'required',
  faults: [
    'not_found',
    'not_a_party',
    'no_such_milestone',
    'already_released',
    'escrow_not_active',
    'rate_limited',
    'conflict',
    'open_obligations',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/verify-deliverable' }],
  tools: [{ name: 'mesh_verify_deliverable', title: 'Check for the required link', set: 'wallet', extension: true }],
  run: async (input, ctx, ports) => {
    const begun = await ctx.turn<Looked, Refusal>({
      attempt: async (read) => begin(await find(read, input, ctx), ctx),
    });
    if (isFault(begun)) return begun;
    const { milestone } = begun.reply;
    const verdict = await look(ports, milestone);
    const asked = { ...input, milestone_index: milestone.milestone_index };
    return ctx.turn<Static<typeof Checked>, Refusal>({
      final: true,
      attempt: async (read) => conclude(await find(read, asked, ctx), milestone, verdict, ctx),
    });
  },
});
