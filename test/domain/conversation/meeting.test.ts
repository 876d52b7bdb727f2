// Meetings: for when one may be set, where people meet, how many there are, and when one took place.

import { describe, expect, test } from 'bun:test';
import {
  COMING_MAX,
  completeFault,
  MEETING_URL_MAX,
  MEETINGS_MAX,
  meetingLimitFault,
  meetingStatus,
  startsFault,
  urlFault,
} from '../../../src/domain/conversation/meeting.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { naughtyStrings } from '../../support/corpus.ts';

const NOW = Date.parse('2026-06-15T12:00:00.000Z');

test.each([
  ['a moment ahead', 1, null],
  ['now', 0, 'invalid_request'],
  ['a moment ago', -1, 'invalid_request'],
  ['366 days ahead', 366 * DAY_MS, null],
  ['a moment more', 366 * DAY_MS + 1, 'invalid_request'],
  ['no time at all', Number.NaN, 'invalid_request'],
])('a meeting set for %s', (_when, ahead_ms, refusal) => {
  const wrong = startsFault(NOW + ahead_ms, NOW);
  const told: unknown[] = [wrong?.fault ?? null, wrong?.data.fields?.[0]?.path ?? null];
  expect(told).toEqual([refusal, refusal && 'starts_at']);
});

describe('an address to meet at', () => {
  const longest = `https://meet.example/${'x'.repeat(MEETING_URL_MAX - 'https://meet.example/'.length)}`;
  test.each(['https://meet.example', 'http://10.0.0.7:8080/room?a=b#c', 'HTTPS://Meet.Example/%20', longest])(
    'may be %s',
    (url) => expect(urlFault(url)).toBeNull(),
  );

  test.each([
    ['a longer one', `${longest}x`],
    ['nothing', ''],
    ['a path', '/rooms/1'],
    ['a name alone', 'meet.example'],
    ['another scheme', 'javascript:alert(1)//https://meet.example'],
    ['a scheme of files', 'ftp://meet.example/'],
    ['data', 'data:text/html,hello'],
    ['one without a host', 'https:///room'],
    ['one whose slashes are missing', 'https:meet.example'],
    ['one with backslashes', 'https:\\\\meet.example'],
    ['a user name', 'https://ada@meet.example/'],
    ['a password', 'https://:secret@meet.example/'],
    ['a port that is none', 'https://meet.example:99999/'],
    ['blanks', 'https://meet.example/a room'],
    ['a line break', 'https://meet.example/\nx'],
    ['an invisible character', 'https://meet.example/\u200broom'],
  ])('is not %s', (_what, url) => {
    const wrong = urlFault(url);
    expect([wrong?.fault, wrong?.data.fields?.[0]?.path]).toEqual(['invalid_request', 'url']);
  });

  test('is none of what breaks programs', () => {
    for (const text of naughtyStrings()) {
      const wrong = urlFault(text);
      if (wrong === null) expect(new URL(text).protocol).toMatch(/^https?:$/);
      else expect(wrong.fault).toBe('invalid_request');
    }
  });
});

test.each([
  ['none', 0, 0, null],
  ['one less than may be to come', COMING_MAX - 1, COMING_MAX - 1, null],
  ['as many as may be to come', COMING_MAX, COMING_MAX, { limit: COMING_MAX, used: COMING_MAX }],
  ['one less than may be in all', 0, MEETINGS_MAX - 1, null],
  ['as many as may be in all', 0, MEETINGS_MAX, { limit: MEETINGS_MAX, used: MEETINGS_MAX }],
])('where there are %s', (_how_many, coming, made, data) => {
  const refusal = meetingLimitFault(coming, made);
  const told: unknown[] = [refusal?.fault ?? null, refusal?.data ?? null];
  expect(told).toEqual([data && 'conflict', data]);
});

test.each([
  ['before it begins', { starts_at: NOW + 1, completed_at: null }, 'conflict'],
  ['when it begins', { starts_at: NOW, completed_at: null }, null],
  ['long after', { starts_at: NOW - 900 * DAY_MS, completed_at: null }, null],
  ['a second time', { starts_at: NOW - 1, completed_at: NOW }, 'meeting_completed'],
])('that it took place is said %s', (_when, meeting, refusal) => {
  const told: unknown = completeFault(meeting, NOW)?.fault ?? null;
  expect(told).toBe(refusal);
});

test('a meeting is completed once somebody says so, and not by time', () => {
  expect([meetingStatus({ completed_at: null }), meetingStatus({ completed_at: NOW })]).toEqual([
    'scheduled',
    'completed',
  ]);
});
