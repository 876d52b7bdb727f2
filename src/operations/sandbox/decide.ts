// A person's decision on a page of the built-in processor. The first decision counts; it is one line of that processor's books, which
// is followed as for any other processor.
import { Type } from 'typebox';
import { type Effect, insert } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { accountOfConnection } from '../../domain/money/payout.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { FOLLOW_FUNDING, FOLLOW_PLAN } from '../../steps/money/follow.ts';
import { FOLLOW_PAYEE } from '../../steps/payee/follow.ts';
import { remindNow } from '../../steps/reminder.ts';
import { PAGE_ADDRESS, readSandboxPage } from '../../steps/sandbox/page.ts';

const KINDS = { pay: 'funding', plan: 'plan', payee: 'payee' } as const;

/** Follows the object before the page answers. */
function followed(page: keyof typeof KINDS, id: string, now_ms: number): Effect<never>[] {
  if (page === 'pay') return [remindNow(FOLLOW_FUNDING, { funding_id: id }, { key: id, now_ms })];
  if (page === 'plan') return [remindNow(FOLLOW_PLAN, { checkout_id: id }, { key: id, now_ms })];
  const account_id = accountOfConnection(id);
  return [remindNow(FOLLOW_PAYEE, { account_id }, { key: account_id, now_ms })];
}

export const sandboxDecide = command({
  name: 'sandbox.decide',
  needed_by: 'the page of the sandbox on which a person pays',
  summary: 'Decide on a page of the built-in payment processor',
  input: Type.Object({ ...PAGE_ADDRESS, decision: Type.Enum(['pay', 'cancel']) }),
  output: Type.Object({ decided: Type.Boolean({ description: 'false if it was decided or had ended before' }) }),
  example: { page: 'pay', id: SAMPLE.funding_id, token: SAMPLE.page_token, decision: 'pay' },
  effect: 'changes',
  access: 'public',
  faults: ['not_found', 'conflict'],
  load: readSandboxPage,
  decide: (state, { page, id, decision }, ctx) => {
    if (!state) return fault('not_found');
    // A cancelled onboarding can be continued later.
    if (state.state !== 'open' || (page === 'payee' && decision === 'cancel')) return { reply: { decided: false } };
    const kept = { id, kind: KINDS[page], amount_cents: state.amount_cents, created_at: ctx.now_ms };
    const row = { ...kept, decision: decision === 'pay' ? ('paid' as const) : ('cancelled' as const) };
    return {
      reply: { decided: true },
      effects: [insert('sandbox_objects', row, fault('conflict')), ...followed(page, id, ctx.now_ms)],
    };
  },
});
