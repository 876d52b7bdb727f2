// The document of the states of money, src/docs/states.md: what becomes of escrows, disputes, deals, proposals, subscriptions and
// payouts, as diagrams and tables made from the transitions of the domain. Only the words are written here.
import { cancelFault, type DealStatus, dealStatus } from '../../src/domain/deal/deal.ts';
import { DISPUTE_MOVES, DISPUTE_STATUSES, type DisputeMove, disputeAfter } from '../../src/domain/escrow/dispute.ts';
import {
  ESCROW_STATUSES,
  type EscrowStatus,
  type EscrowTrigger,
  MILESTONE_AFTER,
  nextStatus,
} from '../../src/domain/escrow/escrow.ts';
import { PAYOUT_MOVES, PAYOUT_STATES, type PayoutMove, payoutAfter } from '../../src/domain/money/payout.ts';
import { PROPOSAL_AFTER, type ProposalMove } from '../../src/domain/negotiation/proposal.ts';
import { MOVES, type Move, SUBSCRIPTION_STATUSES, statusAfter } from '../../src/domain/subscription/subscription.ts';

/** What happens, in a few words and in whole. */
interface Said {
  readonly short: string;
  /** Who does it, by which call. */
  readonly who: string;
}

interface Transition extends Said {
  readonly from: string;
  readonly to: string;
}

interface Machine {
  readonly title: string;
  /** In which other words it is asked for. */
  readonly keywords: string;
  readonly about: string;
  readonly transitions: readonly Transition[];
}

const entries = <K extends string, V>(record: Readonly<Partial<Record<K, V>>>): [K, V][] =>
  Object.entries(record) as [K, V][];

/** What an escrow of three cents has given out, which decides where the last of it leads. */
type Out = readonly [released_cents: number, refunded_cents: number];
const SOME: Out = [1, 1];
const PAID: Out = [3, 0];
const BACK: Out = [2, 1];

const SETTLES = 'the side or administrator that ends the dispute; the rest is split at once';
const RELEASES =
  'the buyer, `POST /api/wallet/escrow/{escrow_id}/release`; the time that the terms give; a link that was found';
const REFUNDS = 'the seller, `POST /api/wallet/escrow/{escrow_id}/refund`; the end that the terms give';

const TRIGGERS: Readonly<Record<EscrowTrigger, readonly (Said & { readonly out: Out })[]>> = {
  release: [
    { short: 'part released', who: RELEASES, out: SOME },
    { short: 'last part released', who: RELEASES, out: PAID },
    { short: 'last part, some went back', who: RELEASES, out: BACK },
  ],
  refund: [
    { short: 'part given back', who: 'the end that the terms give; what was delivered stays', out: SOME },
    { short: 'rest given back', who: REFUNDS, out: BACK },
  ],
  dispute: [
    {
      short: 'dispute opened',
      who: 'either side, `POST /api/wallet/escrow/{escrow_id}/dispute {reason}`',
      out: SOME,
    },
  ],
  withdraw: [
    {
      short: 'dispute withdrawn',
      who: 'who opened it, `POST /api/wallet/escrow/{escrow_id}/dispute/withdraw`',
      out: SOME,
    },
  ],
  settle: [
    { short: 'ended, all to the seller', who: SETTLES, out: PAID },
    { short: 'ended, some to the buyer', who: SETTLES, out: BACK },
  ],
};

const MILESTONE: Readonly<Record<keyof typeof MILESTONE_AFTER, Said>> = {
  release: { short: 'released', who: RELEASES },
  refund: { short: 'given back', who: REFUNDS },
  settle: { short: 'dispute ended', who: SETTLES },
};

function escrowTransitions(): (Transition & { readonly from: EscrowStatus; readonly to: EscrowStatus })[] {
  return ESCROW_STATUSES.flatMap((from) =>
    entries(TRIGGERS).flatMap(([trigger, ways]) =>
      ways.flatMap(({ short, who, out: [released_cents, refunded_cents] }) => {
        const to = nextStatus(from, trigger, { total_cents: 3, released_cents, refunded_cents });
        return to === null ? [] : [{ from, to, short, who }];
      }),
    ),
  );
}

function dealTransitions(): Transition[] {
  const paid: Transition = {
    from: dealStatus('open', null),
    to: dealStatus('open', 'active'),
    short: 'paid for',
    who: 'the buyer, `POST /api/wallet/escrow {deal_id}`; at once where the buyer approved it with the right to pay',
  };
  const given_up = cancelFault('open', null)
    ? []
    : [
        {
          from: dealStatus('open', null),
          to: dealStatus('cancelled', null),
          short: 'cancelled',
          who: 'either side, `POST /api/deals/{deal_id}/cancel`',
        },
      ];
  const called = (status: EscrowStatus): DealStatus =>
    dealStatus(status === 'completed' || status === 'refunded' ? status : 'open', status);
  const followed = escrowTransitions()
    .filter(({ from, to }) => from !== to)
    .map((step) => ({ ...step, from: called(step.from), to: called(step.to), who: 'as of its escrow' }));
  return [paid, ...given_up, ...followed];
}

const DISPUTE: Readonly<Record<DisputeMove, Said>> = {
  answered: {
    short: 'first answer',
    who: 'the respondent, `POST /api/wallet/escrow/{escrow_id}/dispute/evidence {statement}` or `POST /api/wallet/escrow/{escrow_id}/dispute/propose {refund_cents, release_cents}`',
  },
  settled: {
    short: 'settlement accepted',
    who: 'the side that did not propose it, `POST /api/wallet/escrow/{escrow_id}/dispute/accept {refund_cents, release_cents}` with the amounts as they stand',
  },
  conceded: {
    short: 'conceded',
    who: 'either side, `POST /api/wallet/escrow/{escrow_id}/dispute/concede`; all that is left goes to the other',
  },
  withdrawn: { short: 'withdrawn', who: 'who opened it, `POST /api/wallet/escrow/{escrow_id}/dispute/withdraw`' },
  ruled: {
    short: 'ruled',
    who: 'an administrator, `POST /api/admin/disputes/{id}/rule {refund_cents, release_cents}`',
  },
  defaulted: { short: 'no answer in time', who: 'time, after 72 hours; all that is left goes to who opened it' },
};

const PROPOSAL: Readonly<Record<ProposalMove, Said>> = {
  let_go: {
    short: 'let go',
    who: "the proposer's person, `POST /api/conversations/{conversation_id}/approve {decision}`; the other side sees it",
  },
  agree: {
    short: 'both approved',
    who: 'the side that had not yet, `POST /api/conversations/{conversation_id}/approve {decision}`; there is a deal',
  },
  reject: {
    short: 'rejected',
    who: 'a side, `POST /api/conversations/{conversation_id}/approve {decision}`; a withheld one by its own side alone',
  },
  replace: {
    short: 'another proposed',
    who: 'a side, `POST /api/conversations/{conversation_id}/propose {amount_cents}`; a withheld one by its own side alone',
  },
};

const SUBSCRIPTION: Readonly<Record<Move, Said>> = {
  charged: { short: 'period paid', who: 'the service, when a period begins and a day after a charge that failed' },
  failed: { short: 'charge failed', who: 'the service; it tries again a day later' },
  given_up: { short: '4th charge failed', who: 'the service; both sides are told' },
  ended: { short: 'end reached', who: 'the last of its charges, or its end by time' },
  pause: { short: 'paused', who: 'the paying side, `POST /api/subscriptions/{subscription_id}/pause`' },
  resume: {
    short: 'resumed',
    who: 'the paying side, `POST /api/subscriptions/{subscription_id}/resume`; nothing is paid for what lies before',
  },
  cancel: { short: 'cancelled', who: 'either side, `POST /api/subscriptions/{subscription_id}/cancel`' },
};

const PAYOUT: Readonly<Record<PayoutMove, Said>> = {
  submit: { short: 'handed over', who: 'the service; the bank or chain took it, or may have' },
  finalize: { short: 'arrived', who: 'word of the bank or chain' },
  fail: { short: 'did not arrive', who: 'word of the bank or chain; the money is still outside' },
  credit: { short: 'back in the wallet', who: 'the service, once no external party holds any of it' },
};

/** All transitions of a table: each state with each move, where that leads somewhere. */
function transitionsOf<S extends string, M extends string>(
  states: readonly S[],
  moves: readonly M[],
  after: (state: S, move: M) => S | null,
  words: Readonly<Record<M, Said>>,
): Transition[] {
  return states.flatMap((from) =>
    moves.flatMap((move) => {
      const to = after(from, move);
      return to === null ? [] : [{ from, to, ...words[move] }];
    }),
  );
}

const proposalStates = entries(PROPOSAL_AFTER).map(([status]) => status);
const proposalMoves = entries(PROPOSAL).map(([move]) => move);

const MACHINES: readonly Machine[] = [
  {
    title: 'Proposals',
    keywords: 'states of a proposal, withheld, replaced, lifecycle of an offer',
    about:
      'One stands at a time. It begins `open`, or `withheld` where it is outside the bounds of its own side: then the other side does not ' +
      'see it. After 72 hours without an answer it reads `expired`.',
    transitions: transitionsOf(
      proposalStates,
      proposalMoves,
      (from, move) => PROPOSAL_AFTER[from][move] ?? null,
      PROPOSAL,
    ),
  },
  {
    title: 'Deals',
    keywords: 'states of a deal, lifecycle of a deal, funded, agreed',
    about: 'It begins `agreed`, with a proposal that both approved, or `funded`, with an escrow or a purchase.',
    transitions: dealTransitions(),
  },
  {
    title: 'Escrows',
    keywords: 'states of an escrow, lifecycle of an escrow, state diagram, state machine',
    about:
      'It begins `active`, with the money in it. While it is `disputed` nothing is released. It ends with the last of its money: ' +
      '`refunded` where any of it went back, else `completed`.',
    transitions: escrowTransitions(),
  },
  {
    title: 'Milestones',
    keywords: 'states of a milestone, parts of an escrow',
    about: 'Each is a part of an escrow, and ends once.',
    transitions: entries(MILESTONE_AFTER).map(([trigger, to]) => ({ from: 'held', to, ...MILESTONE[trigger] })),
  },
  {
    title: 'Disputes',
    keywords: 'states of a dispute, lifecycle of a dispute, who decides, deadline of a dispute',
    about:
      'It begins `open`; the other side has 72 hours to answer. From then on an unanswered one is decided for who opened it. A side may open ' +
      'three of one escrow.',
    transitions: transitionsOf(DISPUTE_STATUSES, DISPUTE_MOVES, disputeAfter, DISPUTE),
  },
  {
    title: 'Subscriptions',
    keywords: 'states of a subscription, past due, lifecycle of a subscription, failed charge',
    about: 'It begins `active`, with its first period paid for; where that cannot be paid there is none.',
    transitions: transitionsOf(SUBSCRIPTION_STATUSES, MOVES, statusAfter, SUBSCRIPTION),
  },
  {
    title: 'Payouts',
    keywords: 'states of a payout, lifecycle of a withdrawal, reversed payout, returned by the bank',
    about: 'It begins `pending`; the money has left the wallet. A bank may send back what it had taken.',
    transitions: transitionsOf(PAYOUT_STATES, PAYOUT_MOVES, payoutAfter, PAYOUT),
  },
];

/** Each state with the arrows that leave it, in columns, and where it all ends. */
function diagram(transitions: readonly Transition[]): string[] {
  const leaving = Map.groupBy(transitions, ({ from }) => from);
  const ends = [...new Set(transitions.map(({ to }) => to))].filter((state) => !leaving.has(state));
  const wide = Math.max(...Array.from(leaving.keys(), (state) => state.length), 'ends'.length);
  const label = Math.max(...transitions.map(({ short }) => short.length));
  const lines = Array.from(leaving, ([state, steps]) =>
    steps.map(({ short, to }, at) => {
      const last = at === steps.length - 1;
      const corner = at === 0 ? (last ? '──' : '┬─') : last ? '└─' : '├─';
      return `${(at === 0 ? state : '').padEnd(wide)} ${corner} ${`${short} `.padEnd(label + 1, '─')}─→ ${to}`;
    }),
  );
  return [...lines.flat(), ...(ends.length > 0 ? [`${'ends'.padEnd(wide)}    ${ends.join(', ')}`] : [])];
}

const coded = (states: readonly string[]): string => [...new Set(states)].map((state) => `\`${state}\``).join(', ');

function chapter({ title, keywords, about, transitions }: Machine): string {
  // What happens alike in several states is one row.
  const alike = Map.groupBy(transitions, ({ short, who, to }) => `${short} | ${who} | \`${to}\``);
  const rows = Array.from(alike, ([cells, steps]) => `| ${coded(steps.map(({ from }) => from))} | ${cells} |`);
  return [
    `## ${title}\n\n<!-- ${keywords} -->\n\n${about}\n`,
    `\`\`\`text\n${diagram(transitions).join('\n')}\n\`\`\`\n`,
    ['| from | what happens | by whom | to |', '| --- | --- | --- | --- |', ...rows, ''].join('\n'),
  ].join('\n');
}

const HEAD = `# States of money

What becomes of proposals, deals, escrows, disputes, subscriptions and payouts. Made from the transitions in \`src/domain/\` by
\`test/operations-table.test.ts\`: no other change of state exists. What is said of each stands in the [events](events.md).
`;

/** The whole document in Markdown. */
export function statesDocument(): string {
  return [HEAD, ...MACHINES.map(chapter)].join('\n');
}
