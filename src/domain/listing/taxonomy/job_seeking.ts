// The taxonomy of people who look for work, by the kind of contract they would take.

import type { TProperties } from 'typebox';
import { COMMON_FIELDS, cents, choice, count, entries, flag, list, text } from './subcategory.ts';

const entry = entries({
  card_type: 'job_seeking',
  directions: ['offer'],
  pricing: ['salary', 'hourly', 'daily', 'monthly', 'yearly', 'fixed', 'equity', 'quote', 'free'],
});

const person = {
  skills: list('Skills'),
  seniority: choice('Seniority', 'intern', 'junior', 'mid', 'senior', 'lead', 'executive'),
  years: count('Years of experience'),
  remote: flag('Works from anywhere'),
  availability: COMMON_FIELDS.availability,
  relocates: flag('Would move'),
  languages: list('Languages'),
} satisfies TProperties;

/** Subcategories of `job_seeking`. */
export const JOB_SEEKING = [
  entry('jobs.full_time_available', 'Looking for a full-time job', {
    ...person,
    salary_min_cents: cents('Lowest pay'),
  }),
  entry('jobs.part_time_available', 'Looking for a part-time job', {
    ...person,
    hours_per_week: count('Hours a week'),
  }),
  entry('jobs.contract_available', 'Open to contracts', { ...person, months: count('Months') }),
  entry('jobs.freelance_available', 'Open to freelance work', { ...person, hours_per_week: count('Hours a week') }),
  entry('jobs.internship_wanted', 'Looking for an internship', { ...person, studies: text('Field of study') }),
  entry('jobs.executive_available', 'Open to executive roles', person),
  entry('jobs.advisor_available', 'Open to advise', { ...person, hours_per_month: count('Hours a month') }),
] as const;
