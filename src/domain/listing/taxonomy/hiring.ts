// The taxonomy of open positions, by the kind of contract.

import { type TProperties, Type } from 'typebox';
import { cents, choice, count, entries, flag, list } from './subcategory.ts';

const entry = entries({
  card_type: 'hiring',
  directions: ['seek'],
  pricing: ['salary', 'hourly', 'daily', 'monthly', 'yearly', 'fixed', 'equity', 'quote'],
});

const role = {
  skills: list('Skills asked for'),
  seniority: choice('Seniority', 'intern', 'junior', 'mid', 'senior', 'lead', 'executive'),
  remote: flag('Can be done from anywhere'),
  salary_min_cents: cents('Lowest pay'),
  salary_max_cents: cents('Highest pay'),
  visa_sponsorship: flag('A visa is sponsored'),
} satisfies TProperties;

/** Subcategories of `hiring`. */
export const HIRING = [
  entry('jobs.full_time', 'Full-time job', role),
  entry('jobs.part_time', 'Part-time job', { ...role, hours_per_week: count('Hours a week') }),
  entry('jobs.contract', 'Contract', { ...role, months: count('Months') }),
  entry('jobs.freelance', 'Freelance work', { ...role, hours: count('Hours of work') }),
  entry('jobs.internship', 'Internship', { ...role, months: count('Months'), for_credit: flag('Counts for studies') }),
  entry('jobs.executive', 'Executive or founder', {
    ...role,
    equity_percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  }),
  entry('jobs.advisor', 'Advisor or board seat', { skills: list('Skills'), hours_per_month: count('Hours a month') }),
  entry('jobs.temporary', 'Temporary or seasonal work', { ...role, days: count('Days') }),
] as const;
