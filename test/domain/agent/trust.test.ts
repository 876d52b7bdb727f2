// Guarantees of trust: the breakdown adds up to the score, and a lapsed claim fades as published.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  CREDENTIAL_POINTS,
  type Credential,
  type CredentialKind,
  credentialShare,
  DECAY_MS,
  isCredentialKind,
  isVerified,
  opensGate,
  type TrustSignals,
  trustScore,
} from '../../../src/domain/agent/trust.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { naughtyStrings } from '../../support/corpus.ts';

const DAY = DAY_MS;
const NOW = Date.UTC(2026, 5, 1);
const KINDS = Object.keys(CREDENTIAL_POINTS).filter(isCredentialKind);

const claim = (kind: CredentialKind, failing_since_ms: number | null = null): Credential => ({
  kind,
  verified_at_ms: NOW - 100 * DAY,
  checked_at_ms: NOW - DAY,
  failing_since_ms,
});

const BLANK: TrustSignals = {
  credentials: [],
  created_at_ms: NOW,
  silent: false,
  profile_fill: 0,
  responsiveness: null,
  partners: 0,
  dispute_rate: null,
  rating: null,
};

const points = (signals: TrustSignals, name: string): number | undefined =>
  trustScore(signals, NOW).breakdown.find(({ signal }) => signal === name)?.points;

test('an agent of which nothing is known has 0, and the best has 100', () => {
  expect(trustScore(BLANK, NOW).score).toBe(0);
  const best: TrustSignals = {
    credentials: KINDS.map((kind) => claim(kind)),
    created_at_ms: NOW - 400 * DAY,
    silent: false,
    profile_fill: 1,
    responsiveness: 'fast',
    partners: 10_000,
    dispute_rate: 0,
    rating: 5,
  };
  expect(trustScore(best, NOW).score).toBe(100);
});

test('the maxima add up to 100', () => {
  expect(trustScore(BLANK, NOW).breakdown.reduce((sum, { max }) => sum + max, 0)).toBe(100);
});

describe('each signal has its published worth', () => {
  test.each([
    ['credentials', { credentials: [claim('phone')] }, 6],
    ['credentials', { credentials: [claim('phone'), claim('phone')] }, 6],
    ['credentials', { credentials: [claim('phone', NOW - 15 * DAY)] }, 3],
    ['credentials', { credentials: KINDS.map((kind) => claim(kind)) }, 40],
    ['credentials', { credentials: [claim('phone')], silent: true }, 6],
    ['account_age', { created_at_ms: NOW - 73 * DAY }, 2],
    ['account_age', { created_at_ms: NOW + DAY }, 0],
    ['profile', { profile_fill: 0.55 }, 6],
    ['responsiveness', { responsiveness: 'hours' }, 6],
    ['responsiveness', { responsiveness: 'silent' }, 0],
    ['deal_completed', { partners: 5 }, 8],
    ['disputes', { dispute_rate: 0 }, 10],
    ['disputes', { dispute_rate: 0.1 }, 6],
    ['disputes', { dispute_rate: 1 }, 0],
    ['reviews', { rating: 3 }, 3],
  ] satisfies [string, Partial<TrustSignals>, number][])('%s of %j is %p', (signal, given, expected) => {
    expect(points({ ...BLANK, ...given }, signal)).toBe(expected);
  });
});

test('whatever the signals, the score is within 0 to 100 and the sum of its breakdown', () => {
  const signals = fc.record({
    credentials: fc.array(
      fc.tuple(fc.constantFrom(...KINDS), fc.option(fc.integer({ min: 0, max: NOW }))).map(([k, at]) => claim(k, at)),
      { maxLength: 12 },
    ),
    created_at_ms: fc.integer({ min: 0, max: NOW * 2 }),
    silent: fc.boolean(),
    profile_fill: fc.double({ min: 0, max: 1, noNaN: true }),
    responsiveness: fc.constantFrom('fast', 'hours', 'days', 'silent', null),
    partners: fc.nat(),
    dispute_rate: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    rating: fc.option(fc.double({ min: 1, max: 5, noNaN: true })),
  });
  fc.assert(
    fc.property(signals, (given) => {
      const { score, breakdown } = trustScore(given, NOW);
      expect(breakdown.reduce((sum, row) => sum + row.points, 0)).toBeCloseTo(score, 9);
      expect(breakdown.every((row) => row.points >= 0 && row.points <= row.max)).toBe(true);
      expect(score >= 0 && score <= 100).toBe(true);
    }),
  );
});

describe('a claim that stops verifying fades in a straight line over 30 days', () => {
  test.each([
    [0, 1],
    [15 * DAY, 0.5],
    [DECAY_MS, 0],
    [90 * DAY, 0],
    [-DAY, 1],
  ])('after %p ms it is worth %p', (age, share) => {
    expect(credentialShare(claim('github', NOW - age), NOW)).toBeCloseTo(share, 12);
  });
});

describe('the verification gate', () => {
  test.each([
    ['stays shut without a claim', [], false],
    ['stays shut for an email address', [claim('email')], false],
    ['opens for a phone', [claim('email'), claim('phone')], true],
    ['stays open while a claim fades', [claim('phone', NOW - 29 * DAY)], true],
    ['shuts when it has faded', [claim('phone', NOW - DECAY_MS)], false],
  ])('%s', (_, credentials, open) => {
    expect(isVerified(credentials, NOW)).toBe(open);
  });

  test('counts every kind but email', () => {
    expect(KINDS.filter((kind) => !opensGate(kind))).toEqual(['email']);
  });
});

describe('a badge', () => {
  const statusOf = (silent: boolean, failing: number | null): unknown =>
    trustScore({ ...BLANK, silent, credentials: [claim('domain', failing)] }, NOW).credentials[0];

  test('is active while it verifies', () => {
    expect(statusOf(false, null)).toMatchObject({ status: 'active', decays_to_zero_at_ms: null });
  });

  test('fails when its agent is silent, without a date of decay', () => {
    expect(statusOf(true, null)).toMatchObject({ status: 'failing', decays_to_zero_at_ms: null });
  });

  test('fails when it stops verifying, with the date of decay', () => {
    expect(statusOf(false, NOW - DAY)).toMatchObject({ status: 'failing', decays_to_zero_at_ms: NOW + 29 * DAY });
  });
});

test('only the eight kinds are kinds', () => {
  expect(KINDS.toSorted().join(' ')).toBe('domain email github identity linkedin phone stripe twitter');
  expect(naughtyStrings().filter(isCredentialKind)).toEqual([]);
});
