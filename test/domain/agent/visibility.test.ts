// Guarantees of visibility: the whole table of who is seen where.
import { describe, expect, test } from 'bun:test';
import {
  effectiveVisibility,
  isListingSeenOn,
  isSeenOn,
  matchingPart,
  type Surface,
  VISIBILITIES,
  type Visibility,
  type Visible,
} from '../../../src/domain/agent/profile.ts';
import { LISTING_STATUSES } from '../../../src/domain/listing/state.ts';

const PLACES: readonly Surface[] = ['registry', 'profile', 'search', 'counts', 'contact', 'matching'];
const agent = (visibility: Visibility, more: Partial<Visible> = {}): Visible => ({
  visibility,
  provisional: false,
  deactivated: false,
  ...more,
});

describe('an agent is met', () => {
  const cases: [string, Visible, Surface[]][] = [
    ['everywhere when listed', agent('listed'), [...PLACES]],
    ['by matching alone when stealth', agent('stealth'), ['matching']],
    ['nowhere when hidden', agent('hidden'), []],
    ["by whoever writes to it when it is the platform's", agent('hidden', { platform: true }), ['profile', 'contact']],
    ['nowhere while provisional', agent('listed', { provisional: true }), []],
    ['nowhere once deactivated', agent('listed', { deactivated: true }), []],
    ['nowhere once deactivated, stealth too', agent('stealth', { deactivated: true }), []],
  ];
  test.each(cases)('%s', (_, seen, places) => expect(PLACES.filter((place) => isSeenOn(seen, place))).toEqual(places));
});

test('a provisional or deactivated agent is hidden in effect', () => {
  for (const visibility of VISIBILITIES) {
    expect(effectiveVisibility(agent(visibility))).toBe(visibility);
    expect(effectiveVisibility(agent(visibility, { provisional: true }))).toBe('hidden');
    expect(effectiveVisibility(agent(visibility, { deactivated: true }))).toBe('hidden');
  }
});

test('others see live listings alone, and only where their agent is seen', () => {
  for (const status of LISTING_STATUSES) {
    for (const place of PLACES) {
      expect(isListingSeenOn(status, agent('listed'), place)).toBe(status === 'live');
      expect(isListingSeenOn(status, agent('stealth'), place)).toBe(status === 'live' && place === 'matching');
      expect(isListingSeenOn(status, agent('hidden'), place)).toBe(false);
    }
  }
});

describe('a listing takes part in matching', () => {
  test.each([
    ['on both sides when live', 'live', false, agent('listed'), 'both'],
    ['on both sides when stealth', 'live', false, agent('stealth'), 'both'],
    ['not when hidden', 'live', false, agent('hidden'), 'none'],
    ['for its owner alone when from an unverified intake', 'pending_verification', true, agent('listed'), 'own'],
    ['not while its domain is unproven', 'pending_verification', false, agent('listed'), 'none'],
    ['not as a draft', 'draft', true, agent('listed'), 'none'],
    ['not when paused', 'inactive', true, agent('listed'), 'none'],
    ['not while under review', 'pending_review', true, agent('listed'), 'none'],
    ['not from a hidden intake', 'pending_verification', true, agent('hidden'), 'none'],
  ] as const)('%s', (_, status, intake, seen, part) => expect(matchingPart(status, intake, seen)).toBe(part));
});
