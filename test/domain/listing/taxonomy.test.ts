// Guarantees of the taxonomy: every card type has real subcategories, and a listing that breaks its subcategory's rules
// is told which field to mend.

import { describe, expect, test } from 'bun:test';
import { CARD_TYPES, directionsOf } from '../../../src/domain/listing/listing.ts';
import {
  checkFields,
  domainToProve,
  siteDomainOf,
  TAXONOMY,
  type Typed,
} from '../../../src/domain/listing/taxonomy.ts';

describe('the taxonomy', () => {
  test('has each subcategory once, and at least four for every card type', () => {
    const names = TAXONOMY.map((entry) => entry.subcategory);
    expect(new Set(names).size).toBe(names.length);
    for (const type of CARD_TYPES) {
      expect(TAXONOMY.filter((entry) => entry.card_type === type).length).toBeGreaterThanOrEqual(4);
    }
  });

  test('gives every entry a label, legal directions, pricing, gates and plain JSON Schema', () => {
    for (const entry of TAXONOMY) {
      expect(entry.subcategory).toMatch(/^[a-z]+\.[a-z_]+$/);
      expect(entry.label.length).toBeGreaterThan(2);
      expect(entry.pricing.length).toBeGreaterThan(0);
      expect(entry.gates).toContain('agent_verified');
      for (const direction of entry.directions) expect(directionsOf(entry.card_type)).toContain(direction);
      const schema = JSON.parse(JSON.stringify(entry.fields));
      expect(schema.type).toBe('object');
      expect(Object.keys(schema.properties).length).toBeGreaterThan(2);
      expect(schema.properties.pricing_model.enum).toEqual([...entry.pricing]);
    }
  });
});

describe('the fields of a listing', () => {
  const offer = (part: Partial<Typed>): Typed => ({ card_type: 'selling', direction: 'offer', ...part });
  const link = (part: Partial<Typed>): Typed => ({ card_type: 'link_building', direction: 'offer', ...part });
  const window = { day: 'mon', from: '09:00', to: '17:30' };

  test.each<[string, Typed]>([
    ['none', offer({})],
    ['unknown names', offer({ fields: { colour: 'red' } })],
    [
      'those of the subcategory',
      offer({ subcategory: 'services.web_development', fields: { stack: ['react'], revisions: 2 } }),
    ],
    ['a weekly window', offer({ fields: { availability: { tz: 'Europe/Oslo', windows: [window] } } })],
    [
      'a free appointment',
      offer({ subcategory: 'services.appointment', fields: { offering: 'appointment', pricing_model: 'free' } }),
    ],
    ['a fixed deliverable', offer({ fields: { offering: 'deliverable', pricing_model: 'fixed' } })],
    ['a link offer by domain', link({ fields: { domain: 'example.com', price_cents: 5000 } })],
    [
      'a link offer by site_domain',
      link({ subcategory: 'links.guest_post', fields: { site_domain: 'Blog.Example.com' } }),
    ],
    ['both names of one site', link({ fields: { domain: 'https://example.com/x', site_domain: 'example.com' } })],
    [
      'a link seek without a site',
      link({ direction: 'seek', fields: { budget_cents_per_link: 9, min_dr: 30, quantity: 5, niche: ['a'] } }),
    ],
    ['a link exchange without a site', { card_type: 'link_exchange', direction: 'offer' }],
  ])('%s are accepted', (_what, listing) => expect(checkFields(listing)).toBeNull());

  test.each<[string, Typed, string]>([
    ['an unknown subcategory', offer({ subcategory: 'services.nothing' }), 'subcategory'],
    ['a name of every object', offer({ subcategory: 'constructor' }), 'subcategory'],
    ['another card type', offer({ subcategory: 'jobs.full_time' }), 'subcategory'],
    ['a wrong type', offer({ subcategory: 'data.dataset', fields: { rows: 'many' } }), 'fields.rows'],
    ['a wrong item', offer({ subcategory: 'data.dataset', fields: { format: ['csv', 3] } }), 'fields.format.1'],
    ['a negative count', link({ direction: 'seek', fields: { quantity: -1 } }), 'fields.quantity'],
    [
      'pricing that is not allowed',
      offer({ subcategory: 'software.template', fields: { pricing_model: 'hourly' } }),
      'fields.pricing_model',
    ],
    ['unknown pricing', offer({ fields: { pricing_model: 'barter' } }), 'fields.pricing_model'],
    [
      'a deliverable by the hour',
      offer({ fields: { offering: 'deliverable', pricing_model: 'hourly' } }),
      'fields.pricing_model',
    ],
    ['a sponsorship without pricing', offer({ fields: { offering: 'sponsorship' } }), 'fields.pricing_model'],
    ['a free placement', offer({ fields: { offering: 'placement', pricing_model: 'free' } }), 'fields.pricing_model'],
    [
      'a domain sale by quote',
      offer({ fields: { offering: 'domain_sale', pricing_model: 'quote' } }),
      'fields.pricing_model',
    ],
    [
      'a date for a window',
      offer({ fields: { availability: { tz: 'UTC', windows: [{ ...window, day: '2026-01-05' }] } } }),
      'fields.availability.windows.0.day',
    ],
    ['a link offer without a site', link({ fields: { price_cents: 1 } }), 'fields.domain'],
    ['a guest post without a site', link({ subcategory: 'links.guest_post' }), 'fields.site_domain'],
    ['a site that is none', link({ fields: { domain: 'not a site' } }), 'fields.domain'],
    ['an address by number', link({ fields: { domain: '127.0.0.1' } }), 'fields.domain'],
    ['two sites', link({ fields: { domain: 'a.com', site_domain: 'b.com' } }), 'fields.domain'],
  ])('%s is refused by name', (_what, listing, path) => {
    expect(checkFields(listing)).toMatchObject({ fault: 'invalid_request', data: { fields: [{ path }] } });
  });
});

test.each<[Typed, string | null]>([
  [{ card_type: 'link_building', direction: 'offer', fields: { domain: 'EXAMPLE.com.' } }, 'example.com'],
  [{ card_type: 'link_building', direction: 'seek', fields: { domain: 'example.com' } }, null],
  [{ card_type: 'link_exchange', direction: 'offer', fields: { site_domain: 'example.com' } }, 'example.com'],
  [{ card_type: 'link_exchange', direction: 'offer' }, null],
  [{ card_type: 'selling', direction: 'offer', subcategory: 'domains.sale', fields: { domain: 'a.io' } }, 'a.io'],
  [{ card_type: 'selling', direction: 'offer', fields: { offering: 'domain_sale', domain: 'a.io' } }, 'a.io'],
  [{ card_type: 'selling', direction: 'offer', fields: { domain: 'a.io' } }, null],
])('%p has %p to prove', (listing, domain) => {
  expect(domainToProve(listing)).toBe(domain);
  if (domain) expect(siteDomainOf(listing.fields)).toBe(domain);
});
