// Guarantees of a listing: legal directions, a completeness that names its gaps, stable slugs, both forms of
// preferences, and states that no path can skip.

import { describe, expect, test } from 'bun:test';
import {
  CARD_TYPES,
  completenessOf,
  type Direction,
  embeddingText,
  freeSlug,
  inferDirection,
  preferencesOf,
  slugOf,
} from '../../../src/domain/listing/listing.ts';
import {
  type ListingFacts,
  type ListingStatus,
  statusAfterPatch,
  statusAfterReview,
  statusAfterVerify,
  statusAtCreation,
} from '../../../src/domain/listing/state.ts';

describe('directions', () => {
  const offers = ['selling', 'job_seeking', 'investing', 'partnering', 'link_building', 'link_exchange'];
  const seeks = ['buying', 'hiring', 'fundraising', 'partnering', 'link_building', 'link_exchange'];
  test.each(CARD_TYPES.flatMap((type) => [[type, 'offer'] as const, [type, 'seek'] as const]))(
    '%s as %s is legal or a mismatch',
    (card_type, direction) => {
      const legal = (direction === 'offer' ? offers : seeks).includes(card_type);
      expect(inferDirection(card_type, direction)).toMatchObject(
        legal ? { direction } : { fault: 'direction_mismatch' },
      );
    },
  );
  test.each<[(typeof CARD_TYPES)[number], object, Direction]>([
    ['selling', {}, 'offer'],
    ['hiring', {}, 'seek'],
    ['partnering', {}, 'offer'],
    ['link_building', {}, 'offer'],
    ['link_building', { fields: { budget_cents_per_link: 5 } }, 'seek'],
    ['link_building', { budget_cents: 5 }, 'seek'],
    ['link_building', { budget_cents: 5, price_cents: 5 }, 'offer'],
  ])('%s with %p is inferred', (card_type, part, direction) => {
    expect(inferDirection(card_type, undefined, part)).toEqual({ direction });
  });
});

describe('completeness', () => {
  const whole = {
    card_type: 'selling',
    direction: 'offer' as const,
    headline: 'Logos',
    labels: ['design'],
    price_cents: 1,
  };
  test.each([
    ['nothing', whole, []],
    ['a headline', { ...whole, headline: '  ' }, ['headline']],
    ['labels', { ...whole, labels: [] }, ['labels']],
    ['a price', { ...whole, price_cents: null }, ['price_cents']],
    ['a budget', { ...whole, card_type: 'buying', direction: 'seek' as const, price_cents: null }, ['budget_cents']],
    ['no price of a free appointment', { ...whole, price_cents: null, fields: { pricing_model: 'free' } }, []],
    ['no budget of a job', { ...whole, card_type: 'hiring', direction: 'seek' as const, price_cents: null }, []],
    ['all', { ...whole, headline: null, labels: [], price_cents: null }, ['headline', 'labels', 'price_cents']],
  ])('misses %s', (_what, listing, missing) => {
    expect(completenessOf(listing)).toEqual({ complete: missing.length === 0, missing });
  });
});

describe('states', () => {
  const facts = (part: Partial<{ complete: boolean; gates: boolean; review: boolean }> = {}): ListingFacts => ({
    completeness: { complete: part.complete ?? true, missing: [] },
    gates_passed: part.gates ?? true,
    review_needed: part.review ?? false,
  });
  const ok = facts();
  test.each<[boolean, ListingFacts, ListingStatus]>([
    [true, ok, 'live'],
    [false, ok, 'inactive'],
    [true, facts({ complete: false }), 'draft'],
    [false, facts({ complete: false }), 'draft'],
    [true, facts({ gates: false }), 'pending_verification'],
    [true, facts({ review: true, gates: false }), 'pending_review'],
    [false, facts({ review: true }), 'inactive'],
  ])('created with active %p', (active, given, status) => expect(statusAtCreation(active, given)).toBe(status));

  test.each<[ListingStatus, boolean | undefined, ListingFacts, ListingStatus | 'listing_incomplete' | 'pending']>([
    ['draft', true, ok, 'live'],
    ['draft', true, facts({ complete: false }), 'listing_incomplete'],
    ['draft', true, facts({ gates: false }), 'pending_verification'],
    ['draft', undefined, ok, 'draft'],
    ['draft', false, ok, 'draft'],
    ['live', true, ok, 'live'],
    ['live', false, ok, 'inactive'],
    ['live', undefined, ok, 'live'],
    ['live', undefined, facts({ complete: false }), 'draft'],
    ['live', undefined, facts({ review: true }), 'pending_review'],
    ['live', undefined, facts({ gates: false }), 'pending_verification'],
    ['inactive', true, ok, 'live'],
    ['inactive', true, facts({ review: true }), 'pending_review'],
    ['inactive', undefined, ok, 'inactive'],
    ['pending_verification', true, ok, 'pending'],
    ['pending_verification', undefined, ok, 'pending_verification'],
    ['pending_verification', undefined, facts({ review: true }), 'pending_review'],
    ['pending_verification', false, ok, 'inactive'],
    ['pending_review', true, facts({ review: true }), 'pending'],
    ['pending_review', undefined, facts({ review: true }), 'pending_review'],
    ['pending_review', undefined, ok, 'live'],
    ['pending_review', true, ok, 'live'],
    ['pending_review', undefined, facts({ gates: false }), 'pending_verification'],
    ['pending_review', false, ok, 'inactive'],
  ])('%s patched with active %p', (current, active, given, after) => {
    const result = statusAfterPatch(current, active, given);
    expect('fault' in result ? result.fault : result.status).toBe(after);
  });

  test('proof makes a waiting listing live, and nothing else', () => {
    expect(statusAfterVerify('pending_verification', ok)).toBe('live');
    expect(statusAfterVerify('pending_verification', facts({ gates: false }))).toBe('pending_verification');
    expect(statusAfterVerify('inactive', ok)).toBe('inactive');
    expect(statusAfterVerify('pending_review', ok)).toBe('pending_review');
  });

  test('a reviewed listing goes on to its next gate, a refused one back to its owner', () => {
    expect(statusAfterReview('pending_review', true, ok)).toBe('live');
    expect(statusAfterReview('pending_review', true, facts({ gates: false }))).toBe('pending_verification');
    expect(statusAfterReview('pending_review', false, ok)).toBe('inactive');
    expect(statusAfterReview('live', false, ok)).toBe('live');
  });
});

describe('slugs', () => {
  test.each([
    ['Kubernetes & Terraform set-up!', 'kubernetes-terraform-set-up'],
    ['東京', 'dongjing'],
    ['!!!', 'listing'],
    ['word '.repeat(40), 'word-'.repeat(16).slice(0, -1)],
    ['x'.repeat(140), 'x'.repeat(80)],
  ])('%p', (headline, slug) => expect(slugOf(headline)).toBe(slug));

  test('a taken one gets the first free number', () => {
    const taken = new Set(['logo', 'logo-2']);
    expect(freeSlug('logo', (slug) => taken.has(slug))).toBe('logo-3');
    expect(freeSlug('site', (slug) => taken.has(slug))).toBe('site');
  });
});

describe('preferences', () => {
  test('both forms are read, and one is emitted', () => {
    expect(preferencesOf({ preferences: [{ label: 'K8s', weight: 0.5 }, { label: 'go' }] })).toEqual({
      preferences: [
        { label: 'kubernetes', weight: 0.5 },
        { label: 'go', weight: 1 },
      ],
    });
    expect(preferencesOf({ weighted_preferences: { Remote: 1 } })).toEqual({
      preferences: [{ label: 'remote', weight: 1 }],
    });
    expect(preferencesOf({})).toEqual({ preferences: [] });
  });
  test.each([
    [{ preferences: [{ label: 'a', weight: 1.1 }] }, 'conditions.preferences.0'],
    [{ preferences: [{ label: '--', weight: 1 }] }, 'conditions.preferences.0'],
    [{ weighted_preferences: { go: -1 } }, 'conditions.weighted_preferences.go'],
    [{ preferences: Array.from({ length: 21 }, (_, n) => ({ label: `l${n}` })) }, 'conditions.preferences'],
  ])('%p is refused at %p', (conditions, path) => {
    expect(preferencesOf(conditions)).toMatchObject({ fault: 'invalid_request', data: { fields: [{ path }] } });
  });
});

test('the embedded text holds headline, description and label names, and neither card type nor place', () => {
  const listing = {
    card_type: 'job_seeking',
    headline: 'SRE',
    description: ' I keep it up ',
    geo: 'Oslo',
    labels: ['ci-cd', 'go'],
  };
  expect(embeddingText(listing)).toBe('SRE\nI keep it up\nci cd, go');
  expect(embeddingText({ headline: 'X', labels: [] })).toBe('X');
});
