// What members of the world of money do. Each action draws who, with whom and how much; what it names is what is stored.
import { DAY_MS } from '../../../src/domain/time.ts';
import { EXPIRING_ADDRESS, FAILING_ADDRESS } from '../../../src/outbound/chain/sandbox.ts';
import { SAMPLE } from '../../../src/schemas/samples.ts';
import { FOLLOW_TAKEN_BACK } from '../../../src/steps/money/follow.ts';
import { remind } from '../../../src/steps/reminder.ts';
import { decideOn } from '../../support/funds.ts';
import { answerPrice, cancelDeal, payDeal, putPrice } from './deals.ts';
import type { Action, MoneyWorld } from './world.ts';

const ADDRESSES = [SAMPLE.wallet_key, SAMPLE.wallet_key, FAILING_ADDRESS, EXPIRING_ADDRESS, 'no address'];
/** Now and then an amount that is none. */
const BAD_AMOUNTS = [0, -1, 0.5, 2 ** 53, '1000', null];

function amount({ choose }: MoneyWorld, most = 8_000): unknown {
  return choose.chance(0.03) ? choose.pick(BAD_AMOUNTS) : 1 + choose.below(most);
}

const other = ({ choose, members }: MoneyWorld): string => choose.pick(members).handle;

/** The id of something stored, or null where there is none. */
function stored({ db, choose }: MoneyWorld, table: string): string | null {
  return choose.maybe(db.column(`SELECT id FROM ${table} ORDER BY id DESC LIMIT 12`));
}

/** A party does something to a stored thing, mostly to one of those that `where` names. */
function onStored(
  table: 'subscriptions' | 'deals',
  where: string,
  whose: 'buyer_id' | 'seller_id' | 'either',
  path: (id: string) => string,
  body?: (world: MoneyWorld, id: string) => object,
): Action {
  return async (world, drawn) => {
    const meant = world.db.column(`SELECT id FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT 12`);
    const id = world.choose.chance(0.9) ? world.choose.maybe(meant) : stored(world, table);
    if (id === null) return null;
    const side = whose === 'either' ? world.choose.pick(['buyer_id', 'seller_id']) : whose;
    const [party] = world.db.column(`SELECT ${side} FROM ${table} WHERE id = ?`, id);
    const member = world.members.find((each) => each.id === party) ?? drawn;
    const as = table === 'deals' ? 'key' : 'session';
    return world.call(world.choose.chance(0.9) ? member : drawn, as, 'POST', path(id), body?.(world, id));
  };
}

/** One that is in a state, mostly. */
function someEscrow(world: MoneyWorld, status: 'active' | 'disputed'): string | null {
  const inState = world.db.column('SELECT id FROM escrows WHERE status = ? ORDER BY id DESC LIMIT 12', status);
  return world.choose.chance(0.9) ? world.choose.maybe(inState) : stored(world, 'escrows');
}

/** A party of an escrow does something to it; mostly the one who may. */
function onEscrow(
  action: string,
  whose: 'buyer_id' | 'seller_id' | 'either',
  body?: (world: MoneyWorld, id: string) => object,
): Action {
  return async (world, drawn) => {
    const id = someEscrow(world, action.startsWith('dispute/') ? 'disputed' : 'active');
    if (id === null) return null;
    const side = whose === 'either' ? world.choose.pick(['buyer_id', 'seller_id']) : whose;
    const [party] = world.db.column(`SELECT ${side} FROM escrows WHERE id = ?`, id);
    const found = world.members.find((each) => each.id === party);
    const member = world.choose.chance(0.9) && found ? found : drawn;
    return world.call(member, 'key', 'POST', `/api/wallet/escrow/${id}/${action}`, body?.(world, id));
  };
}

function split(world: MoneyWorld, id: string): object {
  const left = world.db.number('SELECT total_cents - released_cents - refunded_cents FROM escrows WHERE id = ?', id);
  const refund_cents = world.choose.below(left + 1);
  return { refund_cents, release_cents: left - refund_cents + (world.choose.chance(0.1) ? 1 : 0) };
}

function lastProposal(world: MoneyWorld, id: string): object {
  const [text] = world.db.column('SELECT proposal FROM disputes WHERE escrow_id = ? ORDER BY id DESC LIMIT 1', id);
  const proposal = text === undefined || text === 'null' ? null : JSON.parse(text);
  return proposal ? { refund_cents: proposal.refund_cents, release_cents: proposal.release_cents } : split(world, id);
}

const fund: Action = async (world, member) => {
  const asked = await world.call(member, 'session', 'POST', '/api/wallet/fund', {
    amount_cents: amount(world, 20_000),
  });
  const url = asked.body?.checkout_url;
  if (typeof url !== 'string' || world.choose.chance(0.2)) return asked;
  const decision = world.choose.chance(0.8) ? 'pay' : 'cancel';
  // A double click, now and then.
  const clicks = world.choose.chance(0.3) ? 3 : 1;
  await Promise.all(Array.from({ length: clicks }, () => decideOn(world.t, url, decision)));
  world.note(`${member.handle} decides ${decision} of ${asked.body.funding_id}`);
  return asked;
};

const withdraw: Action = (world, member) => {
  const { choose } = world;
  const amount_cents = choose.chance(0.03) ? amount(world) : 1_000 + choose.below(30_000);
  const key = choose.chance(0.5) ? { idempotency_key: `k${choose.below(30)}` } : {};
  if (choose.chance(0.6))
    return world.call(member, 'session', 'POST', '/api/wallet/withdraw', { amount_cents, ...key });
  const chain = { chain: 'solana', to_address: choose.pick(ADDRESSES), idempotency_key: `c${choose.below(60)}` };
  return world.call(member, 'session', 'POST', '/api/wallet/withdraw', { amount_cents, ...chain });
};

const createEscrow: Action = (world, member) => {
  const { choose } = world;
  const milestones = Array.from({ length: 1 + choose.below(4) }, (_, n) => ({
    title: `Part ${n}`,
    amount_cents: amount(world, 3_000),
  }));
  const body = {
    seller_handle: other(world),
    milestones,
    ...(choose.chance(0.3) && { auto_release_after_days: 1 + choose.below(10) }),
    ...(choose.chance(0.3) && {
      expires_at: new Date(world.clock.now() + (1 + choose.below(20)) * DAY_MS).toISOString(),
    }),
    ...(choose.chance(0.15) && { dry_run: true }),
  };
  return world.call(member, 'key', 'POST', '/api/wallet/escrow', body);
};

const checkout: Action = (world, member) => {
  const seller = world.choose.pick(world.members);
  const dry = world.choose.chance(0.15) && { dry_run: true };
  const path = `/api/services/${seller.handle}/${seller.slug}/checkout`;
  return world.call(member, 'key', 'POST', path, { tier_id: 'listed', ...dry });
};

const subscribe: Action = (world, member) => {
  const { choose } = world;
  const body = {
    seller_handle: other(world),
    amount_cents: amount(world, 4_000),
    interval: choose.pick(['weekly', 'monthly']),
    ...(choose.chance(0.3) && { max_charges: 1 + choose.below(5) }),
  };
  return world.call(member, 'session', 'POST', '/api/subscriptions', body);
};

const limit: Action = (world, member) => {
  const { choose } = world;
  const cents = (most: number): number | null => (choose.chance(0.4) ? null : 2_000 + choose.below(most));
  const spending_limit = choose.chance(0.3)
    ? null
    : { per_transaction_cents: cents(20_000), per_day_cents: cents(60_000) };
  return world.call(member, 'session', 'PATCH', '/api/wallet/', { spending_limit });
};

/** By a key with a budget, so that what it counts is known. */
const sendByBudget: Action = async (world, member) => {
  if (!member.pro) return null;
  const body = { to_handle: other(world), amount_cents: 1 + world.choose.below(5_000) };
  const answer = await world.call(member, 'budget', 'POST', '/api/wallet/send', body);
  const { spent_by_budget } = world;
  const before = spent_by_budget.get(member.account_id) ?? 0;
  if (answer.status === 201) spent_by_budget.set(member.account_id, before + body.amount_cents);
  return answer;
};

interface Paid {
  readonly id: string;
  readonly payment_id: string;
  readonly amount_cents: number;
}

/** The processor takes a payment back, or changes its mind about one, and hints at it. */
const takeBack: Action = async (world, member) => {
  const { choose, db, taken, t, clock } = world;
  const paid = db.rows<Paid>("SELECT id, payment_id, amount_cents FROM fundings WHERE status = 'paid' ORDER BY id");
  const funding = choose.maybe(paid);
  if (!funding) return null;
  const { payment_id } = funding;
  const known = taken.get(payment_id) ?? [];
  const [first, ...rest] = known;
  if (first) taken.set(payment_id, [{ ...first, status: choose.pick(['won', 'lost', first.status]) }, ...rest]);
  else {
    const amount_cents = choose.chance(0.5) ? funding.amount_cents : 1 + choose.below(funding.amount_cents);
    const kind = choose.pick(['chargeback', 'chargeback', 'refund'] as const);
    const status = kind === 'refund' ? 'lost' : 'open';
    const external_id = `dp_${funding.id}`;
    const fee_cents = choose.pick([0, 1_500]);
    taken.set(payment_id, [{ external_id, payment_id, kind, amount_cents, status, fee_cents, reason: null }]);
  }
  const now_ms = clock.now();
  const hint = remind(FOLLOW_TAKEN_BACK, { funding_id: funding.id }, { at: now_ms, key: funding.id, now_ms });
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [hint] }) });
  world.note(`the processor takes back ${JSON.stringify(taken.get(payment_id))} (${member.handle})`);
  return { status: 200, headers: new Headers(), body: null };
};

const send: Action = (world, member) => {
  const dry = world.choose.chance(0.15) && { dry_run: true };
  return world.call(member, 'key', 'POST', '/api/wallet/send', {
    to_handle: other(world),
    amount_cents: amount(world),
    ...dry,
  });
};

const rule: Action = async (world, member) => {
  const open = world.db.column('SELECT id FROM disputes WHERE ended_at IS NULL');
  const id = world.choose.chance(0.8) ? world.choose.maybe(open) : stored(world, 'disputes');
  if (id === null) return null;
  const [escrow = ''] = world.db.column('SELECT escrow_id FROM disputes WHERE id = ?', id);
  const body = { ...split(world, escrow), note: 'So be it.' };
  const headers = { 'X-Internal-Token': world.t.internal_token };
  const answer = await world.t.call('POST', `/api/admin/disputes/${id}/rule`, { headers, body });
  world.note(
    `admin rules ${id} ${JSON.stringify(body)} -> ${answer.status} ${answer.body?.error ?? ''} (${member.handle})`,
  );
  return answer;
};

/** The word of a person on what a program asked for outside the bounds of its agent; mostly of its own person. */
const decide: Action = async (world, drawn) => {
  const { choose, db } = world;
  const waiting = db.column("SELECT id FROM actions WHERE status = 'pending' ORDER BY id DESC LIMIT 12");
  const id = choose.chance(0.9) ? choose.maybe(waiting) : stored(world, 'actions');
  if (id === null) return null;
  const [agent_id] = db.column('SELECT agent_id FROM actions WHERE id = ?', id);
  const member = world.members.find((each) => each.id === agent_id) ?? drawn;
  const decision = choose.chance(0.8) ? 'approve' : 'reject';
  return world.call(choose.chance(0.95) ? member : drawn, 'session', 'POST', `/api/actions/${id}/decide`, { decision });
};

/** Each as often as it stands here. */
export const ACTIONS: readonly (readonly [name: string, weight: number, action: Action])[] = [
  ['send', 12, send],
  ['send by budget', 4, sendByBudget],
  ['take back', 4, takeBack],
  ['fund', 6, fund],
  ['withdraw', 10, withdraw],
  ['escrow', 9, createEscrow],
  ['checkout', 5, checkout],
  ['release', 9, onEscrow('release', 'buyer_id', ({ choose }) => ({ milestone_index: choose.below(3) }))],
  ['refund', 3, onEscrow('refund', 'seller_id')],
  [
    'review',
    3,
    onStored(
      'deals',
      "status = 'completed'",
      'either',
      (id) => `/api/deals/${id}/review`,
      ({ choose }) => ({ rating: 1 + choose.below(5), text: 'So so.' }),
    ),
  ],
  ['deliver', 6, onEscrow('deliverable', 'seller_id', () => ({ url: 'https://ropes.example/x', description: 'Done' }))],
  ['dispute', 6, onEscrow('dispute', 'either', () => ({ reason: 'It is too short.' }))],
  ['evidence', 4, onEscrow('dispute/evidence', 'either', () => ({ statement: 'It is long.', links: [] }))],
  ['propose', 6, onEscrow('dispute/propose', 'either', split)],
  ['accept', 4, onEscrow('dispute/accept', 'either', lastProposal)],
  ['reject', 2, onEscrow('dispute/reject', 'either', lastProposal)],
  ['concede', 1, onEscrow('dispute/concede', 'either')],
  ['withdraw dispute', 2, onEscrow('dispute/withdraw', 'either')],
  ['rule', 1, rule],
  ['subscribe', 5, subscribe],
  ['pause', 3, onStored('subscriptions', "status = 'active'", 'buyer_id', (id) => `/api/subscriptions/${id}/pause`)],
  ['resume', 4, onStored('subscriptions', "status = 'paused'", 'buyer_id', (id) => `/api/subscriptions/${id}/resume`)],
  ['cancel', 2, onStored('subscriptions', 'ended_at IS NULL', 'either', (id) => `/api/subscriptions/${id}/cancel`)],
  ['limit', 3, limit],
  ['decide', 3, decide],
  ['put a price', 7, putPrice],
  ['answer a price', 10, answerPrice],
  ['pay for a deal', 5, payDeal],
  ['cancel a deal', 3, cancelDeal],
  [
    'attest',
    3,
    (world, member) =>
      world.call(member, 'key', 'POST', '/api/wallet/attest', {
        min_amount_cents: amount(world, 50_000),
        audience_handle: other(world),
      }),
  ],
  ['leave', 1, (world, member) => world.call(member, 'key', 'DELETE', `/api/agents/${member.handle}`)],
  ['return', 3, (world, member) => world.call(member, 'key', 'POST', `/api/agents/${member.handle}/restore`)],
  [
    'bounds',
    1,
    (world, member) =>
      world.call(member, 'key', 'PATCH', '/api/agents/bounds', {
        max_pay_cents: world.choose.chance(0.6) ? null : 1_000 + world.choose.below(9_000),
        // What is asked by a policy happens by itself a little later, unless its person has said no by then.
        policies: world.choose.chance(0.5)
          ? [{ operation: 'wallet.send', outcome: 'ask', ask_minutes: 30, on_timeout: 'allow' }]
          : [],
      }),
  ],
];
