// The table of events, row by row: each kind that something causes by now is caused through its door, and arrives alike on
// pull, stream, webhook and notification, with its data, at those whom the table names.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { EVENT_KINDS, type EventKind } from '../../src/domain/inbox/event.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { WARN_OF_KEY } from '../../src/steps/key.ts';
import { remind } from '../../src/steps/reminder.ts';
import { newAgent, signIn, type TestAgent, verifyPhone } from '../support/agents.ts';
import { decideOn } from '../support/funds.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { OUTSIDE_HOST, sharedServiceReaching } from '../support/opened.ts';
import { startReceiver } from '../support/receivers.ts';
import { keyWith } from '../support/scene.ts';
import { readStream, type SseReader } from '../support/sse.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

const ADMIN = 'boss@example.org';

/** An agent with somebody at each of its four ways. */
interface Listened extends TestAgent {
  readonly inbox: SseReader;
  readonly bell: SseReader;
  /** The last seq that was compared. */
  seen: number;
}

const { t, server: receiver } = sharedServiceReaching(startReceiver, { admin_emails: [ADMIN] });
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => t.fetch(request) });
let ada: Listened;
let bob: Listened;
/** What one step leaves for the next. */
const kept = { match_id: '', conversation_id: '', meeting_id: '', listing_id: '', escrow_id: '', request_id: '' };

beforeAll(async () => {
  [ada, bob] = [await listened('kind_ada'), await listened('kind_bob')];
});
afterAll(() => server.stop(true));

async function listened(handle: string): Promise<Listened> {
  const agent = await newAgent(t, { handle, pro: true });
  const url = `https://${OUTSIDE_HOST}:${receiver.port}/200/${handle}`;
  await t.call('POST', '/api/developer/webhooks', { key: agent.key, body: { url, events: ['*'] } });
  const open = (path: string): Promise<SseReader> =>
    readStream(`http://127.0.0.1:${server.port}${path}`, { 'X-API-Key': agent.key });
  const [inbox, bell] = [await open('/api/inbox/stream'), await open('/api/notifications/stream')];
  return { ...agent, inbox, bell, seen: 0 };
}

type Event = TestAnswer['body'];

/** A message waits on the stream when it comes, and may wait no more when it is pulled. */
const settled = (event: Event): Event =>
  event.kind === 'conversation.updated' ? { ...event, actions: [], respond_by: null } : event;

/** The events since the last look, after all four ways have told of the same. */
async function news(who: Listened): Promise<Event[]> {
  const { body } = await t.call('GET', `/api/inbox?after=${who.seen}&peek=true&limit=100`, { key: who.key });
  const events: Event[] = body.events;
  // A page says the epoch once, a stream with each event.
  const { epoch } = body;
  expect((await who.inbox.take(events.length)).map(({ data }) => settled(data))).toEqual(
    events.map((event) => settled({ ...event, epoch })),
  );
  const notifications = (await t.call('GET', '/api/notifications?limit=100', { key: who.key })).body;
  expect(notifications.slice(0, events.length).map((n: Event) => n.id)).toEqual(
    events.map(({ id }) => id).toReversed(),
  );
  expect((await who.bell.take(events.length)).map(({ data }) => data)).toEqual(
    notifications.slice(0, events.length).toReversed(),
  );
  await t.service.delivery.idle();
  const pushed = receiver.received
    .filter(({ path }) => path === `/200/${who.handle}`)
    .map(({ body: text }) => JSON.parse(text))
    .filter(({ seq }) => seq > who.seen);
  expect(pushed.map(({ id, seq, event }) => ({ id, seq, event }))).toEqual(
    events.map(({ id, seq, kind }) => ({ id, seq, event: kind })),
  );
  for (const [n, { data }] of events.entries()) expect(pushed[n]?.data).toMatchObject(data);
  who.seen += events.length;
  return events;
}

interface Told {
  readonly to: 'ada' | 'bob';
  readonly data: Record<string, unknown>;
}

interface Cause {
  readonly kind: EventKind;
  readonly by: string;
  readonly cause: () => Promise<unknown>;
  /** Asked afterwards: data may name what the cause made. */
  readonly told: () => readonly Told[];
}

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const call = (who: TestAgent, method: string, path: string, body?: object): Promise<TestAnswer> =>
  t.call(method, path, { key: who.key, body });
const both = (data: Record<string, unknown>): Told[] => [
  { to: 'ada', data: { counterparty_handle: 'kind_bob', ...data } },
  { to: 'bob', data: { counterparty_handle: 'kind_ada', ...data } },
];

/** A call in an escrow, by an agent's person. */
const escrow = ({ token, handle }: TestAgent, path: string, body: object): Promise<TestAnswer> =>
  t.call('POST', `/api/wallet/escrow${path}`, { token, agent: handle, body });
const inEscrow = (data: Record<string, unknown>): Told[] =>
  (['ada', 'bob'] as const).map((to) => ({ to, data: { escrow_id: kept.escrow_id, ...data } }));

/** In this order: each stands on what came before. */
const CAUSES: readonly Cause[] = [
  {
    kind: 'trust.updated',
    by: 'a proof',
    cause: async () => {
      for (const who of [ada, bob]) await verifyPhone(t, who.token, who.handle);
    },
    told: () =>
      (['ada', 'bob'] as const).map((to) => ({
        to,
        data: { score: expect.any(Number), credentials: expect.arrayContaining(['phone']) },
      })),
  },
  {
    kind: 'agent.updated',
    by: 'a change of the profile',
    cause: () => call(ada, 'PATCH', '/api/agents/kind_ada', { headline: 'Logos' }),
    told: () => [{ to: 'ada', data: { fields: ['headline'] } }],
  },
  {
    kind: 'match.created',
    by: 'listings that fit',
    cause: async () => {
      await publish(t, ada, LOGO_OFFER);
      await publish(t, bob, LOGO_SEEK);
      kept.match_id = (await matchesOf(t, ada))[0].match_id;
    },
    told: () => both({ match_id: kept.match_id, score: expect.any(Number) }),
  },
  {
    kind: 'match.approved',
    by: 'the first interested',
    cause: async () => {
      kept.conversation_id = (await feedback(t, ada, kept.match_id, 'interested')).body.conversation_id;
    },
    told: () => [
      {
        to: 'bob',
        data: {
          match_id: kept.match_id,
          counterparty_handle: 'kind_ada',
          conversation_id: kept.conversation_id,
        },
      },
    ],
  },
  {
    kind: 'conversation.updated',
    by: 'a message',
    cause: () => call(ada, 'POST', `/api/messages/${kept.conversation_id}`, { content: 'Shall we begin?' }),
    told: () => [
      {
        to: 'bob',
        data: {
          conversation_id: kept.conversation_id,
          message_id: uuid,
          sender: 'kind_ada',
          preview: 'Shall we begin?',
        },
      },
    ],
  },
  {
    kind: 'meeting.scheduled',
    by: 'a side',
    cause: async () => {
      const starts_at = new Date(t.clock.now() + 60_000).toISOString();
      const body = { starts_at, duration_minutes: 30, url: 'https://meet.example/ropes' };
      const path = `/api/conversations/${kept.conversation_id}/meetings`;
      kept.meeting_id = (await call(ada, 'POST', path, body)).body.meeting_id;
    },
    told: () => {
      const told = { conversation_id: kept.conversation_id, meeting_id: kept.meeting_id, duration_minutes: 30 };
      return both({ ...told, starts_at: expect.any(String), url: 'https://meet.example/ropes' });
    },
  },
  {
    kind: 'meeting.completed',
    by: 'a side, once it has begun',
    cause: async () => {
      await t.advance(60_000);
      const path = `/api/conversations/${kept.conversation_id}/meetings/${kept.meeting_id}/complete`;
      await call(bob, 'POST', path);
    },
    told: () => both({ conversation_id: kept.conversation_id, meeting_id: kept.meeting_id, duration_minutes: 30 }),
  },
  {
    kind: 'conversation.completed',
    by: 'closing it',
    cause: () => call(ada, 'POST', `/api/conversations/${kept.conversation_id}/close`, {}),
    told: () => both({ conversation_id: kept.conversation_id }),
  },
  {
    kind: 'conversation.started',
    by: 'a first message',
    cause: async () => {
      await call(bob, 'POST', '/tools/mesh_start_conversation', { handle: 'kind_ada', content: 'One more thing' });
    },
    told: () => [
      { to: 'ada', data: { conversation_id: uuid, counterparty_handle: 'kind_bob', phase: 'qualification' } },
    ],
  },
  {
    kind: 'listing.reviewed',
    by: 'an administrator',
    cause: async () => {
      const doubtful = { ...LOGO_OFFER, headline: 'Flyers', description: 'Printed for casinos.' };
      kept.listing_id = (await call(ada, 'POST', '/api/agents/kind_ada/cards', doubtful)).body.id;
      const token = await signIn(t, ADMIN);
      const [review] = (await t.call('GET', '/api/admin/reviews', { token })).body;
      await t.call('POST', `/api/admin/reviews/${review.id}`, { token, body: { approve: true } });
    },
    told: () => [{ to: 'ada', data: { listing_id: kept.listing_id, approved: true, status: 'live' } }],
  },
  {
    kind: 'listing.unmatched',
    by: 'a run that finds nothing',
    cause: async () => {
      const lonely = { ...LOGO_OFFER, headline: 'Bells cast in bronze', description: '', labels: ['bells'] };
      kept.listing_id = (await call(ada, 'POST', '/api/agents/kind_ada/cards', lonely)).body.id;
      await t.advance(120_000);
    },
    told: () => [{ to: 'ada', data: { listing_id: kept.listing_id, considered: 0, missing: [] } }],
  },
  {
    kind: 'payment.succeeded',
    by: 'a payment',
    cause: async () => {
      await verifyPhone(t, bob.token, 'kind_bob');
      await fundWallet(t, bob.id, 5_000);
      const body = { to_handle: 'kind_ada', amount_cents: 1_500 };
      await t.call('POST', '/api/wallet/send', { token: bob.token, body });
    },
    told: () => {
      const data = {
        kind: 'send',
        amount_cents: 1_500,
        reference_id: uuid,
        journal_id: expect.stringContaining('send:'),
      };
      return [
        { to: 'ada', data: { ...data, counterparty_handle: 'kind_bob', your_role: 'payee' } },
        { to: 'bob', data: { ...data, counterparty_handle: 'kind_ada', your_role: 'payer' } },
      ];
    },
  },
  {
    kind: 'deal.agreed',
    by: 'a proposal that both sides approved',
    cause: async () => {
      const hello = { handle: 'kind_ada', content: 'Hello, I act for a bakery.' };
      const { conversation_id } = (await call(bob, 'POST', '/tools/mesh_start_conversation', hello)).body;
      const path = `/api/conversations/${conversation_id}`;
      const wanted = { amount_cents: 2_000, side: 'buyer', terms: 'Two drafts.\nOne round.' };
      await t.call('POST', `${path}/propose`, { token: bob.token, agent: 'kind_bob', body: wanted });
      // What it asks for is over with the yes, so it is compared before.
      for (const who of [ada, bob]) await news(who);
      const said = await t.call('POST', `${path}/approve`, { token: ada.token, agent: 'kind_ada', body: {} });
      kept.escrow_id = said.body.escrow_id;
    },
    told: () => {
      const figures = { amount_cents: 2_000, fee_cents: 60, net_cents: 1_940 };
      return both({ ...figures, deal_id: uuid, escrow_id: kept.escrow_id, title: 'Two drafts.' });
    },
  },
  {
    kind: 'escrow.opened',
    by: 'its buyer',
    cause: async () => {
      const milestones = [100, 200, 300].map((amount_cents) => ({ title: 'A part', amount_cents }));
      kept.escrow_id = (await escrow(bob, '', { seller_handle: 'kind_ada', milestones })).body.id;
    },
    told: () => inEscrow({ deal_id: uuid, amount_cents: 600, fee_cents: 18, net_cents: 582, title: 'A part' }),
  },
  {
    kind: 'escrow.delivered',
    by: 'a deliverable',
    cause: async () => {
      const link = { type: 'backlink', target_url: 'https://shop.example/', milestone_index: 0 };
      await escrow(bob, `/${kept.escrow_id}/deliverable`, link);
      await escrow(ada, `/${kept.escrow_id}/deliverable`, { page_url: 'https://nobody.example/' });
    },
    told: () => [
      { to: 'bob', data: { escrow_id: kept.escrow_id, milestone_index: 0, counterparty_handle: 'kind_ada' } },
    ],
  },
  {
    kind: 'escrow.verification_failed',
    by: 'a page that cannot be read',
    cause: () => escrow(ada, `/${kept.escrow_id}/verify-deliverable`, {}),
    told: () => inEscrow({ milestone_index: 0, reason: expect.stringContaining('could not be read') }),
  },
  {
    kind: 'escrow.released',
    by: 'its buyer',
    cause: () => escrow(bob, `/${kept.escrow_id}/release`, { milestone_index: 1 }),
    told: () => inEscrow({ milestone_index: 1, amount_cents: 200, fee_cents: 6, by: 'buyer' }),
  },
  {
    kind: 'escrow.refunded',
    by: 'its seller',
    cause: () => escrow(ada, `/${kept.escrow_id}/refund`, {}),
    told: () => inEscrow({ milestone_index: null, amount_cents: 400, by: 'seller' }),
  },
  {
    kind: 'escrow.dispute_opened',
    by: 'a side',
    cause: async () => {
      const milestones = [{ title: 'All of it', amount_cents: 100 }];
      kept.escrow_id = (await escrow(bob, '', { seller_handle: 'kind_ada', milestones })).body.id;
      await escrow(bob, `/${kept.escrow_id}/dispute`, { reason: 'Nothing came.' });
    },
    told: () => inEscrow({ dispute_id: uuid, respond_by: expect.any(String) }),
  },
  {
    kind: 'escrow.dispute_responded',
    by: 'evidence of the other side',
    cause: () => escrow(ada, `/${kept.escrow_id}/dispute/evidence`, { statement: 'It did.' }),
    told: () => inEscrow({ dispute_id: uuid }),
  },
  {
    kind: 'escrow.dispute_proposed',
    by: 'a side',
    cause: () => escrow(ada, `/${kept.escrow_id}/dispute/propose`, { refund_cents: 40, release_cents: 60 }),
    told: () => inEscrow({ dispute_id: uuid, refund_cents: 40, release_cents: 60, proposed_by: 'kind_ada' }),
  },
  {
    kind: 'escrow.dispute_resolved',
    by: 'a concession',
    cause: () => escrow(ada, `/${kept.escrow_id}/dispute/concede`, {}),
    told: () => inEscrow({ dispute_id: uuid, outcome: expect.any(String) }),
  },
  {
    kind: 'payment.failed',
    by: 'a funding that its person called off',
    cause: async () => {
      const asked = { token: bob.token, agent: 'kind_bob', body: { amount_cents: 1_000 } };
      await decideOn(t, (await t.call('POST', '/api/wallet/fund', asked)).body.checkout_url, 'cancel');
    },
    told: () => [{ to: 'bob', data: { kind: 'fund', amount_cents: 1_000, reference_id: uuid } }],
  },
  {
    kind: 'subscription.updated',
    by: 'the side that ends it',
    cause: async () => {
      const as = { token: bob.token, agent: 'kind_bob' };
      const body = { seller_handle: 'kind_ada', amount_cents: 100, interval: 'weekly' };
      const { id } = (await t.call('POST', '/api/subscriptions', { ...as, body })).body;
      for (const _ of [1, 2]) await t.call('POST', `/api/subscriptions/${id}/cancel`, as);
    },
    told: () => [
      {
        to: 'ada',
        data: { subscription_id: uuid, status: 'cancelled', changed_by: 'buyer', counterparty_handle: 'kind_bob' },
      },
    ],
  },
  {
    kind: 'payout.connected',
    by: 'a person who finished what a key began',
    cause: async () => {
      const begun = await call(ada, 'POST', '/api/payments/connect');
      await decideOn(t, begun.body.onboarding_url, 'pay');
    },
    told: () => [{ to: 'ada', data: { processor: 'sandbox' } }],
  },
  {
    kind: 'key.expiring',
    by: 'a key that its program uses',
    cause: async () => {
      const body = { name: 'five days', expires_in_days: 5, agent_handle: ada.handle };
      const made = (await t.call('POST', '/api/developer/keys', { token: ada.token, body })).body;
      await t.call('GET', '/api/auth/key', { key: made.api_key });
      const key_id = made.id;
      const now_ms = t.clock.now();
      const effects = [remind(WARN_OF_KEY, { key_id }, { at: now_ms, key: key_id, now_ms })];
      await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
      await t.advance(0);
    },
    told: () => [{ to: 'ada', data: { key_id: uuid } }],
  },
  {
    kind: 'demand.posted',
    by: 'a request that wakes a seller',
    cause: async () => {
      const closes_at = new Date(t.clock.now() + DAY_MS).toISOString();
      const wanted = { headline: 'A logo', labels: ['logo-design'], budget_cents: 60_000, closes_at };
      kept.request_id = (await call(bob, 'POST', '/api/demand', wanted)).body.request_id;
    },
    told: () => [
      {
        to: 'ada',
        data: {
          request_id: kept.request_id,
          headline: 'A logo',
          budget_cents: 60_000,
          closes_at: expect.any(String),
          respond: expect.stringContaining(`/api/demand/${kept.request_id}/respond`),
        },
      },
    ],
  },
  {
    kind: 'demand.quoted',
    by: 'a seller',
    cause: () => call(ada, 'POST', `/api/demand/${kept.request_id}/respond`, { price_cents: 55_000 }),
    told: () => [
      {
        to: 'bob',
        data: {
          request_id: kept.request_id,
          quote_id: uuid,
          price_cents: 55_000,
          headline: 'A logo',
          counterparty_handle: 'kind_ada',
        },
      },
    ],
  },
  {
    kind: 'demand.awarded',
    by: 'the requester',
    cause: () => call(bob, 'POST', `/api/demand/${kept.request_id}/award`, { handle: 'kind_ada' }),
    told: () => [
      {
        to: 'ada',
        data: { request_id: kept.request_id, conversation_id: uuid, deal_id: uuid, counterparty_handle: 'kind_bob' },
      },
    ],
  },
  {
    kind: 'provider.suspended',
    by: 'five failures in a row',
    cause: async () => {
      const body = {
        capability: 'demo.broken',
        endpoint_url: `https://${OUTSIDE_HOST}:${receiver.port}/500/`,
        price_cents: 0,
      };
      await call(bob, 'POST', '/api/router/providers', body);
      for (const _ of [1, 2, 3, 4, 5]) await call(ada, 'POST', '/api/router/call', { capability: 'demo.broken' });
    },
    told: () => [
      { to: 'bob', data: { capability: 'demo.broken', last_error: expect.stringContaining('500'), provider_id: uuid } },
    ],
  },
  {
    kind: 'negotiation.proposed',
    by: 'a proposal within the bounds of both',
    cause: async () => {
      const begun = await call(ada, 'POST', '/tools/mesh_start_conversation', {
        handle: 'kind_bob',
        content: 'A rope?',
      });
      const { conversation_id } = begun.body;
      await call(ada, 'POST', `/api/conversations/${conversation_id}/propose`, { amount_cents: 50, side: 'seller' });
    },
    told: () => [
      { to: 'ada', data: { conversation_id: uuid, proposal_id: uuid, counterparty_handle: 'kind_bob' } },
      { to: 'bob', data: { conversation_id: uuid, amount_cents: 50, counterparty_handle: 'kind_ada' } },
    ],
  },
  {
    kind: 'negotiation.escalated',
    by: 'a payment outside the bounds',
    cause: async () => {
      const key = await keyWith(t, bob.email, ['payments:write']);
      await call(bob, 'PATCH', '/api/agents/bounds', { max_pay_cents: 100 });
      const body = { to_handle: 'kind_ada', amount_cents: 101 };
      for (const _ of [1, 2]) await t.call('POST', '/api/wallet/send', { key, body });
    },
    told: () => [{ to: 'bob', data: { amount_cents: 101, bound: 'max_pay_cents' } }],
  },
  {
    kind: 'test.ping',
    by: 'the inbox test',
    cause: () => call(ada, 'POST', '/api/inbox/test'),
    told: () => [{ to: 'ada', data: {} }],
  },
];

describe('caused through its door', () => {
  test.each(CAUSES.map((row) => [row.kind, row.by, row] as const))('%s by %s', async (kind, _by, { cause, told }) => {
    for (const who of [ada, bob]) await news(who);
    await cause();
    for (const [to, who] of [
      ['ada', ada],
      ['bob', bob],
    ] as const) {
      const came = (await news(who)).filter((event) => event.kind === kind);
      const wanted = told().filter((one) => one.to === to);
      expect(came.map(({ data }) => data)).toEqual(wanted.map(({ data }) => expect.objectContaining(data)));
      for (const event of came) expect(event).toMatchObject({ handle: who.handle, read: false, answered: null });
    }
  });
});

test('every kind is caused here', () => {
  expect(CAUSES.map(({ kind }) => kind).sort()).toEqual([...EVENT_KINDS].sort());
});

describe('wake preferences', () => {
  const wake = (who: TestAgent, given: object | null): Promise<TestAnswer> =>
    call(who, 'PATCH', `/api/agents/${who.handle}`, { wake: given });

  test('what is muted is not pushed, and stands in the inbox, on the streams and in the notifications all the same', async () => {
    for (const who of [ada, bob]) await news(who);
    const set = await wake(ada, { mute: ['test.ping', 'test.ping'] });
    expect(set.body.wake).toEqual({ min_match_score: null, min_demand_budget_cents: null, mute: ['test.ping'] });
    const [changed] = await news(ada);
    expect(changed).toMatchObject({ kind: 'agent.updated', data: { fields: ['wake'] } });
    const before = receiver.received.length;
    const ping = await call(ada, 'POST', '/api/inbox/test');
    await t.service.delivery.idle();
    expect(receiver.received.length).toBe(before);
    expect((await ada.inbox.take(1))[0]?.data.id).toBe(ping.body.id);
    expect((await ada.bell.take(1))[0]?.data.id).toBe(ping.body.id);
    expect((await call(ada, 'GET', '/api/notifications?limit=1')).body[0].id).toBe(ping.body.id);
    ada.seen += 1;
    // Muting ends: the next is pushed, and the one that was muted is not made up for.
    await wake(ada, null);
    await call(ada, 'POST', '/api/inbox/test');
    expect((await news(ada)).map(({ kind }) => kind)).toEqual(['agent.updated', 'test.ping']);
  });

  test('a match below the score that somebody wants sends no event to that side, and is there when asked for', async () => {
    for (const who of [ada, bob]) await news(who);
    await wake(bob, { min_match_score: 100 });
    await news(bob);
    await publish(t, ada, { ...LOGO_OFFER, headline: 'Logos and stationery', labels: ['logo-design', 'stationery'] });
    const ofAda = (await news(ada)).filter(({ kind }) => kind === 'match.created');
    expect(ofAda.length).toBeGreaterThan(0);
    expect((await news(bob)).filter(({ kind }) => kind === 'match.created')).toEqual([]);
    const ids = (await matchesOf(t, bob)).map(({ match_id }: { match_id: string }) => match_id);
    for (const { data } of ofAda) expect(ids).toContain(data.match_id);
  });

  test('preferences that cannot be kept are refused by name, and the last stand', async () => {
    for (const [given, path] of [
      [{ mute: ['sun.rise'] }, 'wake.mute.0'],
      [{ min_match_score: 0.6 }, 'wake.min_match_score'],
      [{ min_match_score: 101 }, 'wake.min_match_score'],
    ] as const) {
      const { status, body } = await wake(bob, given);
      expect([status, body.fields[0].path]).toEqual([400, path]);
    }
    expect((await call(bob, 'GET', '/api/agents/kind_bob')).body.wake.min_match_score).toBe(100);
    expect((await call(ada, 'GET', '/api/agents/kind_bob')).body.wake).toBeUndefined();
  });
});
