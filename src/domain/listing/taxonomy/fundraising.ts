// The taxonomy of capital sought, by round; the budget of such a listing is the size of the round.

import type { TProperties } from 'typebox';
import { cents, choice, count, entries, list, percent, text } from './subcategory.ts';

const entry = entries({ card_type: 'fundraising', directions: ['seek'], pricing: ['fixed', 'equity', 'quote'] });

const company = {
  industry: list('Industries'),
  stage: choice('Stage', 'idea', 'prototype', 'launched', 'revenue', 'profitable'),
  instrument: choice('Instrument', 'safe', 'convertible_note', 'priced_equity', 'debt', 'revenue_share', 'grant'),
  monthly_revenue_cents: cents('Revenue a month'),
  team_size: count('People'),
} satisfies TProperties;
const round = {
  ...company,
  valuation_cents: cents('Valuation before the money'),
  equity_percent: percent('Share given'),
};

/** Subcategories of `fundraising`. */
export const FUNDRAISING = [
  entry('finance.pre_seed_round', 'Pre-seed round', round),
  entry('finance.seed_round', 'Seed round', round),
  entry('finance.series_a', 'Series A', round),
  entry('finance.growth_round', 'Later round', round),
  entry('finance.bridge_loan', 'Loan or bridge', {
    ...company,
    interest_percent: percent('Interest a year'),
    term_months: count('Months'),
  }),
  entry('finance.grant_wanted', 'Grant wanted', { ...company, purpose: text('What it pays for') }),
  entry('finance.business_for_sale', 'Business for sale', { ...company, reason: text('Why it is sold') }),
] as const;
