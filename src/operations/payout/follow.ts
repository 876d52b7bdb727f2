// Follows a payout to its end: checks its state, records it, and repeats as long as each check finds something new. Run by the
// payout's own reminder, and at once after a hint of the processor.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { payoutById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { type Account, type Post, post } from '../../domain/money/ledger.ts';
import {
  DOUBTS_MAX,
  isOpenPayout,
  type PayoutMove,
  payoutAfter,
  payoutPause,
  RETURNED_LOOK_MS,
  RETURNED_WITHIN_MS,
} from '../../domain/money/payout.ts';
import { NullableText } from '../../schemas/wire.ts';
import { type Recipient, tell } from '../../steps/event.ts';
import { FOLLOW_PAYOUT, followAt } from '../../steps/money/follow.ts';
import { endObligations, openObligations } from '../../steps/money/obligation.ts';
import { countDoubt, uncountWithdrawal } from '../../steps/payout/limits.ts';
import { type Found, lookAt } from '../../steps/payout/look.ts';

type Payout = Row<'payouts'>;
type Set = Partial<Omit<Payout, 'id' | 'version'>>;

/** A payout after a check, and the effects of it. */
interface Moved {
  readonly row: Payout;
  /** Whether the check found anything new. */
  readonly isNews: boolean;
  readonly effects: readonly Effect[];
}

const outside = (payout: Payout): Account => (payout.rail === 'bank' ? 'processor' : 'chain');

/** Books an end of a payout. An existing journal is no refusal: another node has booked it. */
function book(
  ctx: Ctx,
  payout: Payout,
  kind: 'payout_sent' | 'payout_reversed',
  debit: Account,
  credit: Account,
): Post {
  const journal = { id: `${kind}:${payout.id}`, kind, subject_id: payout.id, created_at: ctx.now_ms };
  const taken = { same: 'exists', other: fault('conflict') } as const;
  return post(journal, [{ debit, credit, amount_cents: payout.amount_cents }], fault('conflict'), taken);
}

function news(
  ctx: Ctx,
  payout: Payout,
  agent: Recipient,
  event: 'payment.succeeded' | 'payment.failed',
  reason?: string,
) {
  const { id: reference_id, amount_cents } = payout;
  return tell(ctx, agent, event, { kind: 'payout', amount_cents, reference_id, ...(reason && { reason }) });
}

/** The effects of a move, without those on the row. */
function effectsOf(ctx: Ctx, before: Payout, move: PayoutMove, agent: Recipient, reason: string | null): Effect[] {
  const { agent_id, account_id } = before;
  const isOpen = isOpenPayout(before.status);
  switch (move) {
    case 'submit':
      return [];
    case 'finalize':
      return [
        book(ctx, before, 'payout_sent', 'payouts', outside(before)),
        ...endObligations(agent_id),
        news(ctx, before, agent, 'payment.succeeded'),
      ];
    case 'fail':
      return isOpen ? [] : openObligations(agent_id);
    case 'credit': {
      // A payout that had arrived was booked as sent, and keeps that time.
      const wasSent = before.ended_at !== null;
      return [
        book(ctx, before, 'payout_reversed', wasSent ? outside(before) : 'payouts', `wallet:${agent_id}`),
        ...(isOpen ? endObligations(agent_id) : []),
        ...uncountWithdrawal(account_id, before, ctx.now_ms),
        news(ctx, before, agent, 'payment.failed', reason ?? undefined),
      ];
    }
  }
}

/** A payout after a move with the changed columns, or unchanged where its state does not allow the move. */
function moved(ctx: Ctx, payout: Payout, move: PayoutMove, agent: Recipient, set: Set): Moved {
  const status = payoutAfter(payout.status, move);
  if (status === null) return { row: payout, isNews: false, effects: [] };
  const ends = move === 'finalize' || move === 'credit';
  const { ended_at } = payout;
  const cleared = { needs_action: 0, ...set };
  const columns = {
    ...cleared,
    status,
    submitted_at: move === 'submit' ? ctx.now_ms : payout.submitted_at,
    ended_at: ends ? ctx.now_ms : ended_at,
  };
  return {
    row: { ...payout, ...columns },
    isNews: true,
    effects: [
      patch('payouts', payout, columns),
      ...(payout.needs_action === 1 && columns.needs_action === 0 ? [countDoubt(payout.account_id, -1)] : []),
      ...effectsOf(ctx, payout, move, agent, set.reason ?? null),
    ],
  };
}

/** A payout in the same state with other columns; without a difference nothing is written. */
function kept(payout: Payout, set: Set): Moved {
  const row = { ...payout, ...set };
  const differs = Object.entries(set).filter(([name, value]) => payout[name as keyof Payout] !== value);
  if (differs.length === 0) return { row, isNews: false, effects: [] };
  const doubt = row.needs_action - payout.needs_action;
  return {
    row,
    isNews: differs.some(([name]) => name === 'payout_id' || name === 'transfer_id'),
    effects: [
      patch('payouts', payout, set),
      ...(doubt === 0 ? [] : [countDoubt(payout.account_id, doubt > 0 ? 1 : -1)]),
    ],
  };
}

/** Whether another check has changed the payout since it was read. */
function isStale(payout: Payout, looked: Payout): boolean {
  return payout.version !== looked.version;
}

/**
 * The payout after a check. `doubts` is the number of consecutive checks without news, this one included. A finding about an outdated
 * row changes nothing: the next check finds it again.
 */
function moveAfter(
  ctx: Ctx,
  payout: Payout,
  { looked, found, doubts, agent }: { looked: Payout; found: Found; doubts: number; agent: Recipient },
): Moved {
  if (isStale(payout, looked)) return { row: payout, isNews: true, effects: [] };
  switch (found.is) {
    case 'transferred': {
      const set = { transfer_id: found.transfer_id, reason: null };
      return payout.status === 'pending'
        ? moved(ctx, payout, 'submit', agent, set)
        : kept(payout, { ...set, needs_action: 0 });
    }
    case 'waits': {
      const set = { reason: found.reason, ...(found.payout_id !== undefined && { payout_id: found.payout_id }) };
      if (payout.status === 'finalized') return { row: payout, isNews: false, effects: [] };
      if (payout.status === 'pending' && found.taken) return moved(ctx, payout, 'submit', agent, set);
      return kept(payout, { ...set, needs_action: 0 });
    }
    case 'arrived':
      return arrived(ctx, payout, agent, found.payout_id);
    case 'lost':
      return moved(ctx, payout, 'fail', agent, { reason: found.reason });
    case 'back':
      return moved(ctx, payout, 'credit', agent, { reason: found.reason });
    case 'stuck':
      return kept(payout, { needs_action: 1 });
    case 'unknown':
      return inDoubt(ctx, payout, agent, found.reason, doubts);
  }
}

function arrived(ctx: Ctx, payout: Payout, agent: Recipient, payout_id: string): Moved {
  if (payout.status !== 'pending') return moved(ctx, payout, 'finalize', agent, { payout_id, reason: null });
  // It was submitted and has already arrived: applies both moves in turn.
  return moved(ctx, payout, 'submit', agent, { payout_id, reason: null });
}

/** The outcome is unknown: the payout may have been submitted, so it counts as submitted. */
function inDoubt(ctx: Ctx, payout: Payout, agent: Recipient, reason: string, doubts: number): Moved {
  if (payout.status === 'finalized') return { row: payout, isNews: false, effects: [] };
  const needs_action = doubts >= DOUBTS_MAX ? 1 : payout.needs_action;
  if (payout.status === 'pending') return { ...moved(ctx, payout, 'submit', agent, { reason }), isNews: false };
  // A failed one keeps its reason.
  return kept(payout, payout.status === 'failed' ? { needs_action } : { reason, needs_action });
}

/** The longest path has five checks: to the payee, to the bank, lost, reversed, credited. */
const LOOKS_AT_ONCE = 8;

interface Counts {
  readonly looks: number;
  readonly doubts: number;
}

/** When to check again; null when the state is final. */
function nextLook(payout: Row<'payouts'>, { looks, doubts }: Counts, now_ms: number): number | null {
  // The first check without news follows directly on one with news, so it does not lengthen the pause.
  const waited = doubts > 0 ? looks : Math.max(0, looks - 1);
  if (isOpenPayout(payout.status)) return now_ms + payoutPause(waited);
  // A payout on a chain is final; a bank may return one.
  const mayReturn = payout.status === 'finalized' && payout.rail === 'bank' && payout.ended_at !== null;
  return mayReturn && now_ms < (payout.ended_at ?? 0) + RETURNED_WITHIN_MS ? now_ms + RETURNED_LOOK_MS : null;
}

/** Records a finding, and schedules the next check; answers whether to check again at once. */
async function write(ctx: FlowCtx, { clock }: FlowPorts, looked: Row<'payouts'>, found: Found, before: Counts) {
  const doubts = found.is === 'unknown' || found.is === 'stuck' ? before.doubts + 1 : 0;
  const outcome = await ctx.turn({
    agent_id: looked.agent_id,
    attempt: async (read) => {
      const payout = await read(payoutById, { id: looked.id });
      const agent = await read.peek(agentById, { id: looked.agent_id });
      if (!payout || !agent) return { reply: { isNews: false, looks: 0 } };
      const now_ms = clock.now();
      const { row, isNews, effects } = moveAfter({ ...ctx, now_ms }, payout, { looked, found, doubts, agent });
      const looks = isNews ? 0 : before.looks + 1;
      const at = nextLook(row, { looks, doubts }, now_ms);
      const next = at === null ? [] : [followAt(at, { payout_id: row.id, looks, doubts }, now_ms)];
      return { reply: { isNews, looks }, effects: [...effects, ...next] };
    },
  });
  if (isFault(outcome)) throw new Error(`the check of a payout could not be stored: ${outcome.fault}`);
  return { ...outcome.reply, doubts };
}

export const payoutFollow = flow({
  ...FOLLOW_PAYOUT,
  summary: 'Follow a payout',
  output: Type.Object({ status: NullableText }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  run: async ({ payout_id, looks = 0, doubts = 0 }, ctx, ports) => {
    let counts: Counts = { looks, doubts };
    for (let n = 0; n < LOOKS_AT_ONCE; n += 1) {
      const payout = await ctx.read(payoutById, { id: payout_id });
      if (!payout || payout.status === 'reversed') return { reply: { status: payout?.status ?? null } };
      const found = await lookAt(payout, ports);
      const { isNews, ...next } = await write(ctx, ports, payout, found, counts);
      counts = next;
      if (!isNews) break;
    }
    const payout = await ctx.read(payoutById, { id: payout_id });
    return { reply: { status: payout?.status ?? null } };
  },
});
