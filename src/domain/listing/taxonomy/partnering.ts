// The taxonomy of partnerships: two sides that gain together, so either direction is legal and no price is needed.

import { choice, count, entries, list, percent, text } from './subcategory.ts';

const entry = entries({
  card_type: 'partnering',
  directions: ['offer', 'seek'],
  pricing: ['exchange', 'commission', 'fixed', 'monthly', 'quote', 'free'],
});

/** Subcategories of `partnering`. */
export const PARTNERING = [
  entry('partners.integration', 'Product integration', {
    product: text('Product'),
    protocols: list('Such as rest, mcp, a2a'),
  }),
  entry('partners.affiliate', 'Affiliate programme', {
    commission_percent: percent('Of a sale'),
    cookie_days: count('Days a click counts'),
  }),
  entry('partners.reseller', 'Reseller', { margin_percent: percent('Margin'), regions: list('Regions') }),
  entry('partners.referral', 'Referral partner', {
    reward: text('What a referral earns'),
    industry: list('Industries'),
  }),
  entry('partners.co_marketing', 'Joint marketing', {
    formats: list('Such as webinar, newsletter'),
    audience: count('Audience'),
  }),
  entry('partners.joint_venture', 'Joint venture', {
    industry: list('Industries'),
    contribution: text('What is brought in'),
  }),
  entry('partners.co_founder', 'Co-founder', {
    skills: list('Skills'),
    commitment: choice('Time', 'part_time', 'full_time'),
    equity_percent: percent('Share'),
  }),
  entry('partners.distribution', 'Distribution', { regions: list('Regions'), channels: list('Channels') }),
  entry('partners.research', 'Research cooperation', {
    fields_of_study: list('Fields'),
    institution: text('Kind of institution'),
  }),
] as const;
