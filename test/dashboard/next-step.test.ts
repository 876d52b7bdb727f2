// The one next step of a conversation, over all that a deal can come to: whose it is, until when, and for how much.
import { describe, expect, test } from 'bun:test';
import { type Known, nextStep } from '../../src/dashboard/screens/room/next-step.ts';

const ME = 'ann';
const THEM = 'bob';
const NOW_MS = Date.parse('2026-11-28T05:00:00.000Z');
const SOON = '2026-11-30T05:00:00.000Z';
const PAST = '2026-11-27T05:00:00.000Z';

/** What a case leaves out is not looked at. */
type Part = Readonly<Record<string, unknown>>;

const talk = (part: Part = {}): Part => ({ status: 'open', counterparty_handle: THEM, last_message: null, ...part });
const said = (role: string): Part => talk({ last_message: { role } });
const proposal = (part: Part): Part => ({
  ...{ status: 'open', approved_by: [], amount_cents: 45_000, expires_at: SOON },
  ...part,
});
const deal = (part: Part): Part => ({
  ...{ status: 'agreed', your_side: 'buyer', amount_cents: 45_000, reviews: [], counterparty_handle: THEM },
  ...part,
});
const milestone = (part: Part): Part => ({
  ...{ milestone_index: 0, title: 'Logo', amount_cents: 45_000, status: 'held' },
  ...{ deliverable: null, due_at: null, auto_release_at: null },
  ...part,
});
const escrow = (buyer: string, ...milestones: Part[]): Part => ({
  ...{ status: 'active', buyer_handle: buyer, expires_at: null, milestones },
});
const dispute = (part: Part): Part => ({
  ...{ status: 'open', respondent: ME, respond_by: SOON, proposal: null, unreleased_cents: 45_000 },
  ...part,
});

function stepOf(part: Part) {
  const none = { me: ME, talk: talk(), proposals: [], deal: null, escrow: null, dispute: null, meetings: [] };
  const { kind, whose, until, amount_cents } = nextStep({
    ...none,
    balance_cents: 100_000,
    now_ms: NOW_MS,
    ...part,
  } as unknown as Known);
  return [kind, whose, until, amount_cents];
}

const delivered = milestone({ deliverable: { n: 1 }, auto_release_at: SOON });
const funded = deal({ status: 'funded' });

const CASES: readonly (readonly [what: string, part: Part, step: readonly unknown[]])[] = [
  ['nothing was said', {}, ['write', 'you', null, null]],
  ['they have written', { talk: said('other') }, ['reply', 'you', null, null]],
  ['you have written', { talk: said('self') }, ['awaitReply', 'them', null, null]],
  ['your agent leaves it to you', { talk: talk({ status: 'escalated' }) }, ['reply', 'you', null, null]],
  ['it is closed', { talk: talk({ status: 'closed' }) }, ['finished', 'nobody', null, null]],
  ['they have proposed', { proposals: [proposal({})] }, ['decide', 'you', SOON, 45_000]],
  ['your agent may not send it', { proposals: [proposal({ status: 'withheld' })] }, ['letGo', 'you', SOON, 45_000]],
  ['you have proposed', { proposals: [proposal({ approved_by: [ME] })] }, ['awaitDecision', 'them', SOON, 45_000]],
  ['a decided proposal asks nothing', { proposals: [proposal({ status: 'rejected' })] }, ['write', 'you', null, null]],
  [
    'a proposal in a closed conversation asks nothing',
    { talk: talk({ status: 'closed' }), proposals: [proposal({})] },
    ['finished', 'nobody', null, null],
  ],
  ['you have to pay', { deal: deal({}) }, ['pay', 'you', null, 45_000]],
  ['you are short', { deal: deal({}), balance_cents: 10_000 }, ['addMoney', 'you', null, 35_000]],
  ['the wallet is not known', { deal: deal({}), balance_cents: null }, ['pay', 'you', null, 45_000]],
  ['they have to pay', { deal: deal({ your_side: 'seller' }) }, ['awaitPayment', 'them', null, 45_000]],
  [
    'you have to deliver',
    { deal: funded, escrow: escrow(THEM, milestone({ due_at: SOON })) },
    ['deliver', 'you', SOON, 45_000],
  ],
  [
    'they have to deliver',
    { deal: funded, escrow: escrow(ME, milestone({})) },
    ['awaitDelivery', 'them', null, 45_000],
  ],
  ['you have to release', { deal: funded, escrow: escrow(ME, delivered) }, ['release', 'you', SOON, 45_000]],
  ['they have to release', { deal: funded, escrow: escrow(THEM, delivered) }, ['awaitRelease', 'them', SOON, 45_000]],
  [
    'the seller delivers the next part while one waits for its release',
    { deal: funded, escrow: escrow(THEM, delivered, milestone({ amount_cents: 900 })) },
    ['deliver', 'you', null, 900],
  ],
  [
    'the buyer releases one part while the next is not delivered',
    { deal: funded, escrow: escrow(ME, milestone({ amount_cents: 900 }), delivered) },
    ['release', 'you', SOON, 45_000],
  ],
  [
    'a proposal of theirs comes before a delivery',
    { proposals: [proposal({ amount_cents: 700 })], deal: funded, escrow: escrow(THEM, milestone({})) },
    ['decide', 'you', SOON, 700],
  ],
  ['you have to answer a dispute', { dispute: dispute({}) }, ['answerDispute', 'you', SOON, 45_000]],
  ['they have to answer it', { dispute: dispute({ respondent: THEM }) }, ['awaitAnswer', 'them', SOON, 45_000]],
  [
    'they propose how to end it',
    { dispute: dispute({ status: 'responded', proposal: { by: THEM } }) },
    ['acceptSplit', 'you', null, 45_000],
  ],
  [
    'you have proposed how to end it',
    { dispute: dispute({ status: 'responded', proposal: { by: ME } }) },
    ['awaitSplit', 'them', null, 45_000],
  ],
  ['it was answered', { dispute: dispute({ status: 'responded' }) }, ['settle', 'both', null, 45_000]],
  ['a dispute that is over asks nothing', { dispute: dispute({ status: 'settled' }) }, ['write', 'you', null, null]],
  [
    'a deal that is settled asks nothing more',
    { deal: deal({ status: 'refunded' }), dispute: dispute({ status: 'settled' }) },
    ['finished', 'nobody', null, null],
  ],
  [
    'they write after the deal',
    { talk: said('other'), deal: deal({ status: 'refunded' }) },
    ['reply', 'you', null, null],
  ],
  ['you have to review', { deal: deal({ status: 'completed' }) }, ['review', 'you', null, null]],
  [
    'you have reviewed, and it is closed',
    { talk: talk({ status: 'closed' }), deal: deal({ status: 'completed', reviews: [{ handle: ME }] }) },
    ['finished', 'nobody', null, null],
  ],
  [
    'their review is not yours',
    { deal: deal({ status: 'completed', reviews: [{ handle: THEM }] }) },
    ['review', 'you', null, null],
  ],
  [
    'a meeting is to come',
    { talk: said('self'), meetings: [{ status: 'scheduled', starts_at: SOON }] },
    ['meet', 'both', SOON, null],
  ],
  [
    'an answer comes before a meeting',
    { talk: said('other'), meetings: [{ status: 'scheduled', starts_at: SOON }] },
    ['reply', 'you', null, null],
  ],
  [
    'a meeting has begun',
    { meetings: [{ status: 'scheduled', starts_at: PAST }] },
    ['confirmMeeting', 'both', null, null],
  ],
  ['a meeting took place', { meetings: [{ status: 'completed', starts_at: PAST }] }, ['write', 'you', null, null]],
];

describe('the next step of a conversation', () => {
  for (const [what, part, step] of CASES)
    test(what, () => expect(stepOf(part)).toEqual(step as typeof step & ReturnType<typeof stepOf>));
});
