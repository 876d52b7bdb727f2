// The taxonomy of capital offered, by the kind of investor; the price of such a listing is its ticket, the least that
// a round must take.

import type { TProperties } from 'typebox';
import { cents, count, entries, flag, list, percent, text } from './subcategory.ts';

const entry = entries({ card_type: 'investing', directions: ['offer'], pricing: ['fixed', 'equity', 'quote'] });

const thesis = {
  industry: list('Industries'),
  stages: list('Stages'),
  regions: list('Regions'),
  ticket_min_cents: cents('Smallest ticket'),
  ticket_max_cents: cents('Largest ticket'),
  leads: flag('Leads rounds'),
} satisfies TProperties;

/** Subcategories of `investing`. */
export const INVESTING = [
  entry('finance.angel', 'Angel investor', thesis),
  entry('finance.venture_fund', 'Venture fund', { ...thesis, fund_size_cents: cents('Fund size') }),
  entry('finance.corporate_venture', 'Corporate investor', {
    ...thesis,
    strategic_interest: text('What is looked for'),
  }),
  entry('finance.accelerator', 'Accelerator', {
    ...thesis,
    equity_percent: percent('Share taken'),
    weeks: count('Weeks'),
  }),
  entry('finance.lender', 'Lender', {
    ...thesis,
    interest_percent: percent('Interest a year'),
    term_months: count('Longest term'),
  }),
  entry('finance.grant', 'Grant maker', {
    industry: list('Fields'),
    regions: list('Regions'),
    purpose: text('What is paid for'),
  }),
  entry('finance.acquirer', 'Buyer of businesses', { ...thesis, revenue_min_cents: cents('Smallest yearly revenue') }),
] as const;
