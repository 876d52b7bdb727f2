// What is told when, and in which words: tables over the rules of quiet hours, muting and the digest's hour.

import { describe, expect, test } from 'bun:test';
import { isFault } from '../../../src/domain/fault.ts';
import { EVENT_KINDS, type EventKind, nameOf, noticeOf as noticeIn } from '../../../src/domain/inbox/event.ts';
import { nextLocal } from '../../../src/domain/inbox/local-time.ts';
import {
  DEFAULT_SETTINGS,
  digestTime,
  mailTime,
  type NotificationSettings,
  settingsAfter,
} from '../../../src/domain/inbox/notification-settings.ts';
import { isPushedNow } from '../../../src/domain/inbox/push.ts';
import { sampleData } from '../../../src/domain/inbox/sample.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts';
import { eventWords } from '../../../src/domain/words/events.ts';
import { naughtyStrings } from '../../support/corpus.ts';

/** As the wire tells it, and letters of whoever has chosen no language. */
const noticeOf = (kind: EventKind, handle: string, data: Record<string, unknown>) =>
  noticeIn(kind, handle, data, eventWords());

const at = (text: string): number => Date.parse(text);
const iso = (at_ms: number | null): string | null =>
  at_ms === null ? null : new Date(at_ms).toISOString().slice(0, 16);
const set = (given: Partial<NotificationSettings>): NotificationSettings => ({ ...DEFAULT_SETTINGS, ...given });
const quiet = (from: string, to: string, tz = 'UTC'): NotificationSettings => set({ quiet_hours: { from, to, tz } });

test('a payment leads to what it was for, and names its signed receipt where it has one', () => {
  const paid = (data: object): unknown[] => {
    const { title, body, path } = noticeOf('payment.succeeded', 'ada', { amount_cents: 1_250, ...data });
    return [title, body, path];
  };
  const both = { counterparty_handle: 'bob', your_role: 'payer' };
  const title = '$12.50 went through';
  expect([
    paid({ kind: 'send', journal_id: 'send:s' }),
    paid({ kind: 'purchase', escrow_id: 'e', journal_id: 'escrow:e' }),
    paid({ kind: 'subscription', subscription_id: 'u', journal_id: 'charge:u:0', ...both }),
    paid({ kind: 'fund' }),
    paid({}),
  ]).toEqual([
    [title, 'For: send.', '/wallet'],
    [title, 'For: purchase.', '/escrows/e'],
    ['ada paid $12.50 to bob', 'For a period of a subscription.', '/subscriptions/u'],
    ['$12.50 was added to the wallet', '', '/wallet'],
    [title, '', '/wallet'],
  ]);
});

test('what is paid for something sold is told with the fee and what arrives, a line each, where they are known', () => {
  const sums = { fee_cents: 2_250, net_cents: 42_750 };
  const three = 'The buyer pays: $450.00\nThe fee in it: $22.50\nThe seller gets: $427.50';
  const [paid, priced] = [
    { amount_cents: 45_000, ...sums },
    { price_cents: 45_000, ...sums },
  ];
  const told = [
    ['negotiation.proposed', paid],
    ['negotiation.escalated', { ...paid, proposal_id: 'p' }],
    ['deal.agreed', paid],
    ['escrow.opened', paid],
    ['escrow.released', paid],
    ['escrow.dispute_proposed', { release_cents: 45_000, refund_cents: 1, ...sums }],
    ['escrow.dispute_resolved', { release_cents: 45_000, refund_cents: 1, ...sums }],
    ['payment.succeeded', { ...paid, kind: 'subscription', your_role: 'payee', journal_id: 'charge:u:0' }],
    ['demand.quoted', priced],
    ['demand.awarded', priced],
  ] as const;
  for (const [kind, data] of told) {
    expect([kind, noticeOf(kind, 'ada', data).body.endsWith(three)]).toEqual([kind, true]);
    const { net_cents: _unknown, ...before } = data;
    expect(noticeOf(kind, 'ada', before).body).not.toContain('The seller gets');
  }
  const back = { release_cents: 0, refund_cents: 45_000, fee_cents: 0, net_cents: 0, outcome: 'conceded' };
  expect(noticeOf('escrow.dispute_resolved', 'ada', back).body).toBe('conceded');
});

test('a letter about what a program asks for says what asks, a bound or a policy, and what silence does', () => {
  const asked = (data: object): string[] => {
    const told = { amount_cents: 700, action_id: 'a', operation: 'wallet.send', ...data };
    const { title, body, path } = noticeOf('negotiation.escalated', 'ada', told);
    return [title, body, path];
  };
  const title = 'Your agent wants to send money: $7.00';
  expect([
    asked({ bound: 'max_pay_cents' }),
    asked({ bound: 'policy' }),
    asked({ bound: 'policy', done_at: '2026-06-15T12:00:00.000Z' }),
  ]).toEqual([
    [title, '$7.00 is outside the bounds of ada. Approve or reject it.', '/approvals'],
    [title, 'A policy of ada asks you first. Approve or reject it.', '/approvals'],
    [
      title,
      'A policy of ada asks you first. Approve or reject it. Without an answer it is done on Jun 15, 2026, 12:00 PM UTC.',
      '/approvals',
    ],
  ]);
});

describe('a letter leaves', () => {
  test.each([
    ['by day', quiet('22:00', '07:00'), '2026-06-15T12:00', '2026-06-15T12:00'],
    ['after the night, before midnight', quiet('22:00', '07:00'), '2026-06-15T23:10', '2026-06-16T07:00'],
    ['after the night, after midnight', quiet('22:00', '07:00'), '2026-06-16T06:59', '2026-06-16T07:00'],
    ['at the minute at which they end', quiet('22:00', '07:00'), '2026-06-16T07:00', '2026-06-16T07:00'],
    ['after a quiet noon', quiet('12:00', '14:00'), '2026-06-15T13:30', '2026-06-15T14:00'],
    ['at the hours of its own zone', quiet('22:00', '07:00', 'Europe/Berlin'), '2026-06-15T21:00', '2026-06-16T05:00'],
    ['in a zone of half hours', quiet('22:00', '07:00', 'Asia/Kolkata'), '2026-06-15T20:00', '2026-06-16T01:30'],
    [
      'after the night that loses an hour',
      quiet('22:00', '07:00', 'Europe/Berlin'),
      '2026-03-28T22:00',
      '2026-03-29T05:00',
    ],
    ['after the night that wins one', quiet('22:00', '07:00', 'Europe/Berlin'), '2026-10-24T21:00', '2026-10-25T06:00'],
  ] as const)('%s', (_when, settings, now, expected) => {
    expect(iso(mailTime(settings, 'match.created', at(`${now}Z`)))).toBe(expected);
  });

  test('never, when it was muted, not chosen, or not important enough', () => {
    const now = at('2026-06-15T12:00Z');
    expect(mailTime(set({ mute: ['match.created'] }), 'match.created', now)).toBeNull();
    expect(mailTime(set({ email: 'none' }), 'payment.failed', now)).toBeNull();
    expect(mailTime(set({ email: 'important' }), 'conversation.updated', now)).toBeNull();
    expect(mailTime(set({ email: 'important' }), 'payment.failed', now)).toBe(now);
  });

  test('at once, whatever was set, about an escalation or a dispute', () => {
    const hush = { ...quiet('00:00', '23:59'), email: 'none' as const, mute: [...EVENT_KINDS] };
    const now = at('2026-06-15T12:00Z');
    const told = EVENT_KINDS.filter((kind) => mailTime(hush, kind, now) === now);
    expect(told).toEqual([
      'negotiation.escalated',
      'escrow.dispute_opened',
      'escrow.dispute_responded',
      'escrow.dispute_proposed',
      'escrow.dispute_resolved',
    ]);
  });

  test('at the end of the day, and pushed to no browser, about what came after the letters of the day', () => {
    const now = at('2026-06-15T12:00Z');
    const late = { letter_at: '2026-06-16T00:00:00.000Z' };
    expect(iso(mailTime(set({ email: 'none' }), 'negotiation.escalated', now, late))).toBe('2026-06-16T00:00');
    const after = at('2026-06-16T00:00Z') + 1;
    expect(mailTime(set({}), 'negotiation.escalated', after, late)).toBe(after);
    expect(isPushedNow(set({}), 'negotiation.escalated', now, late)).toBe(false);
    expect(isPushedNow(set({}), 'negotiation.escalated', now, {})).toBe(true);
  });
});

test.each([
  ['without quiet hours, at eight UTC', DEFAULT_SETTINGS, '2026-06-15T12:00', '2026-06-16T08:00'],
  ['on the same day before eight', DEFAULT_SETTINGS, '2026-06-15T07:59', '2026-06-15T08:00'],
  ['a day after the last', DEFAULT_SETTINGS, '2026-06-15T08:00', '2026-06-16T08:00'],
  ['at eight where the person lives', quiet('22:00', '07:00', 'Europe/Berlin'), '2026-06-15T12:00', '2026-06-16T06:00'],
  ['when hours that hold eight o’clock end', quiet('22:00', '09:30'), '2026-06-15T12:00', '2026-06-16T09:30'],
] as const)('the digest comes %s', (_when, settings, now, expected) => {
  expect(iso(digestTime(settings, at(`${now}Z`)))).toBe(expected);
});

test('the next local minute is ahead of now, and at that minute where the day has it', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
    'Asia/Kolkata',
  ];
  for (const tz of zones) {
    const shown = new Intl.DateTimeFormat('en-GB', {
      timeZone: tz,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    for (let day = 0; day < 365; day++) {
      const now = at('2026-01-01T00:00Z') + day * DAY_MS + ((day * 7_919) % 1_440) * 60_000 + 17;
      const next = nextLocal(tz, 480, now);
      expect(next - now).toBeGreaterThan(0);
      expect(next - now).toBeLessThanOrEqual(25.5 * HOUR_MS);
      expect(shown.format(next)).toBe('08:00');
    }
  }
});

describe('settings', () => {
  test('what is left out stays', () => {
    const before = { ...quiet('22:00', '07:00'), digest: 'daily' as const, mute: ['test.ping'] };
    expect(settingsAfter(before, {})).toEqual(before);
    expect(settingsAfter(before, { quiet_hours: null, email: 'none' })).toEqual({
      ...before,
      quiet_hours: null,
      email: 'none',
    });
    expect(settingsAfter(before, { mute: ['test.ping', 'test.ping'] })).toEqual(before);
  });

  test.each([
    ['quiet_hours.from', { quiet_hours: { from: '24:00', to: '07:00', tz: 'UTC' } }],
    ['quiet_hours.to', { quiet_hours: { from: '22:00', to: '7:00', tz: 'UTC' } }],
    ['quiet_hours.tz', { quiet_hours: { from: '22:00', to: '07:00', tz: 'Mars/Olympus' } }],
    ['quiet_hours.to', { quiet_hours: { from: '22:00', to: '22:00', tz: 'UTC' } }],
    ['mute.1', { mute: ['test.ping', 'nothing.happened'] }],
  ])('%s is refused by its name', (path, given) => {
    expect(settingsAfter(DEFAULT_SETTINGS, given)).toMatchObject({
      fault: 'invalid_request',
      data: { fields: [{ path }] },
    });
  });

  test('no text passes for a time zone that then cannot be used', () => {
    for (const tz of naughtyStrings()) {
      const after = settingsAfter(DEFAULT_SETTINGS, { quiet_hours: { from: '22:00', to: '07:00', tz } });
      if (!isFault(after)) expect(mailTime(after, 'test.ping', at('2026-06-15T12:00Z'))).toBeNumber();
    }
  });
});

/** Of a payment between ada and bob. */
const TO_BOB = { amount_cents: 600, counterparty_handle: 'bob' };

describe('what a person reads', () => {
  test('every kind has its words, with and without its data', () => {
    for (const kind of EVENT_KINDS) {
      for (const data of [{}, { amount_cents: 'x', score: '1', fields: 3, credentials: null, sender: 7 }]) {
        const { title, body, path } = noticeOf(kind, 'ada', data);
        expect(title.length).toBeGreaterThan(5);
        expect(`${title} ${body} ${path}`).not.toMatch(/undefined|null|NaN|\[object/);
        expect(path).toStartWith('/');
      }
    }
  });

  test.each([
    [
      'match.created',
      { counterparty_handle: 'bob', score: 0.826, match_id: 'm1' },
      'New match with bob',
      '/matches/m1',
    ],
    [
      'conversation.updated',
      { sender: 'bob', preview: 'Hi', conversation_id: 'c1' },
      'New message from bob',
      '/conversations/c1',
    ],
    [
      'escrow.released',
      { amount_cents: 1_234_567, escrow_id: 'e1' },
      '$12,345.67 was released from escrow',
      '/escrows/e1',
    ],
    ['payment.failed', { amount_cents: 5, kind: 'send' }, '$0.05 did not go through', '/wallet'],
    ['payment.succeeded', { ...TO_BOB, kind: 'send', your_role: 'payer' }, 'ada sent $6.00 to bob', '/wallet'],
    ['payment.succeeded', { ...TO_BOB, kind: 'send', your_role: 'payee' }, 'bob sent $6.00 to ada', '/wallet'],
    ['payment.succeeded', { ...TO_BOB, kind: 'send' }, '$6.00 went through', '/wallet'],
    [
      'payment.succeeded',
      { ...TO_BOB, kind: 'purchase', your_role: 'payee', escrow_id: 'e1' },
      'bob put $6.00 in escrow for ada',
      '/escrows/e1',
    ],
    ['payment.succeeded', { amount_cents: 600, kind: 'fund' }, '$6.00 was added to the wallet', '/wallet'],
    ['payment.succeeded', { amount_cents: 600, kind: 'payout' }, '$6.00 was paid out', '/payouts'],
    [
      'payment.failed',
      { ...TO_BOB, kind: 'subscription', your_role: 'payer', subscription_id: 's1', reason: 'payment_required' },
      'ada could not pay $6.00 to bob',
      '/subscriptions/s1',
    ],
    ['trust.updated', { score: 40, silent: true }, 'The badges of ada are marked failing', '/trust'],
    ['trust.updated', { score: 40, credentials: ['phone'] }, 'The trust score of ada is now 40', '/trust'],
  ] as const)('%s', (kind, data, title, path) => {
    expect(noticeOf(kind, 'ada', data)).toMatchObject({ title, path });
  });

  test('every kind is told in German too, with no English word, and leads to the same page', () => {
    const [de, en] = [eventWords('de'), eventWords('en')];
    const english = /\b(?:the|you|your|of|and|to|it|its|this|that|with|if|not|are|is|from|by|for|at|on|has)\b/i;
    for (const kind of EVENT_KINDS) {
      const data = sampleData(kind, '2026-11-27T10:00:00.000Z');
      const [german, told] = [noticeIn(kind, 'ada', data, de), noticeIn(kind, 'ada', data, en)];
      // What the other side or a program wrote stands as it is.
      const theirs = Object.values(data)
        .flat()
        .filter((value) => typeof value === 'string');
      const words = theirs.reduce((left, text) => left.replaceAll(text, ''), `${german.title} ${german.body}`);
      expect({ kind, english: english.exec(words) }).toEqual({ kind, english: null });
      expect({ kind, path: german.path, same: german.title === told.title }).toEqual({
        kind,
        path: told.path,
        same: false,
      });
      expect(nameOf(kind, de)).not.toBe(nameOf(kind, en));
    }
  });

  test('amounts, times and codes as Germans write them', () => {
    const de = eventWords('de');
    const due = { respond_by: '2026-11-26T15:45:09.042Z' };
    expect(noticeIn('escrow.dispute_opened', 'ada', due, de).body).toBe(
      'Eine Antwort ist möglich bis 26. Nov. 2026, 15:45 UTC',
    );
    expect(noticeIn('payment.succeeded', 'ada', { ...TO_BOB, kind: 'send', your_role: 'payer' }, de).title).toBe(
      'ada hat 6,00\u00a0$ an bob gesendet',
    );
    expect(noticeIn('escrow.dispute_resolved', 'ada', { outcome: 'conceded' }, de).body).toBe('anerkannt');
  });

  test('what the service says in a conversation, by its code', () => {
    const note = { code: 'proposal_approved', amount_cents: 90_000 };
    const data = { sender: 'bob', kind: 'system', preview: '@bob approved the proposal of $900.00.', note };
    const body = (more: object, language: 'de' | 'en') =>
      noticeIn('conversation.updated', 'ada', { ...data, ...more }, eventWords(language)).body;
    expect(body({}, 'de')).toBe('@bob hat den Vorschlag über 900,00\u00a0$ angenommen.');
    expect(body({}, 'en')).toBe(data.preview);
    expect(body({ note: { code: 'of_a_later_version' } }, 'de')).toBe(data.preview);
  });

  test('times in the zone of the reader, where it is known', () => {
    const due = { respond_by: '2026-11-26T15:45:09.042Z' };
    const body = (language: 'de' | 'en') =>
      noticeIn('escrow.dispute_opened', 'ada', due, eventWords(language), 'Europe/Berlin').body;
    expect(body('de')).toBe('Eine Antwort ist möglich bis 26. Nov. 2026, 16:45 MEZ');
    expect(body('en')).toBe('It can be answered until Nov 26, 2026, 4:45 PM GMT+1');
  });

  test('times as people write them, and reasons in words', () => {
    const due = { respond_by: '2026-11-26T15:45:09.042Z' };
    expect(noticeOf('escrow.dispute_opened', 'ada', due).body).toBe(
      'It can be answered until Nov 26, 2026, 3:45 PM UTC',
    );
    const unpaid = { ...TO_BOB, kind: 'subscription', your_role: 'payee', reason: 'payment_required' };
    expect(noticeOf('payment.failed', 'ada', unpaid)).toMatchObject({
      title: 'bob could not pay $6.00 to ada',
      body: 'The wallet does not cover it.',
    });
  });

  test.each([
    [
      'payout',
      'chain_expired',
      'The transfer expired before it was final.',
      'Die Überweisung ist verfallen, bevor sie endgültig war.',
    ],
    [
      'payout',
      'of_a_later_version',
      'The processor reported an error.',
      'Der Zahlungsdienst hat einen Fehler gemeldet.',
    ],
    ['fund', 'of_a_later_version', 'The processor reported an error.', 'Der Zahlungsdienst hat einen Fehler gemeldet.'],
  ])('why a %s failed (%s), in each language', (kind, reason, en, de) => {
    const failed = { ...TO_BOB, kind, your_role: 'payee', reason };
    expect(noticeIn('payment.failed', 'ada', failed, eventWords('en')).body).toBe(en);
    expect(noticeIn('payment.failed', 'ada', failed, eventWords('de')).body).toBe(de);
  });
});
