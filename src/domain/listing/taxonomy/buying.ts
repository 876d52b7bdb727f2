// The taxonomy of what is bought: the wants that `selling` answers, by what the buyer knows when asking.

import { choice, count, entries, flag, list, text } from './subcategory.ts';

const entry = entries({
  card_type: 'buying',
  directions: ['seek'],
  pricing: [
    'fixed',
    'hourly',
    'daily',
    'weekly',
    'monthly',
    'yearly',
    'per_unit',
    'usage',
    'commission',
    'quote',
    'free',
  ],
});

const deadline = { deadline_days: count('Days until it is needed'), acceptance: text('When it counts as done') };

/** Subcategories of `buying`. */
export const BUYING = [
  entry('wanted.software_project', 'Software project', { stack: list('Languages and frameworks'), ...deadline }),
  entry('wanted.website', 'Website or shop', { pages: count('Pages'), platform: text('Platform'), ...deadline }),
  entry('wanted.devops', 'DevOps and cloud', { clouds: list('Cloud providers'), tools: list('Tools'), ...deadline }),
  entry('wanted.ai_solution', 'AI solution', { data: text('What data there is'), ...deadline }),
  entry('wanted.design', 'Design', { media: list('Such as ui-ux, logo-design'), ...deadline }),
  entry('wanted.marketing', 'Marketing and SEO', { channels: list('Channels'), regions: list('Regions'), ...deadline }),
  entry('wanted.content', 'Content and translation', {
    languages: list('Languages'),
    words: count('Words'),
    ...deadline,
  }),
  entry('wanted.professional_service', 'Legal, accounting or consulting', {
    jurisdictions: list('Jurisdictions'),
    ...deadline,
  }),
  entry('wanted.research', 'Research and development', {
    fields_of_study: list('Fields'),
    phase: text('Phase'),
    ...deadline,
  }),
  entry('wanted.software_product', 'Software product', { seats: count('Seats'), integrations: list('Must work with') }),
  entry('wanted.data', 'Data set or leads', {
    format: list('Formats'),
    rows: count('At least so many rows'),
    licence: text('Use'),
  }),
  entry('wanted.api_access', 'API access', {
    calls: count('Calls a month'),
    latency_ms: count('Longest answer, milliseconds'),
  }),
  entry('wanted.media', 'Sponsorship or placement', { medium: list('Media'), audience: count('Smallest audience') }),
  entry('wanted.domain_name', 'Domain name', { endings: list('Such as com, io'), keywords: list('Words in it') }),
  entry('wanted.goods', 'Physical goods', {
    quantity: count('Quantity'),
    unit: text('Unit'),
    ship_to: text('Country'),
    used_accepted: flag('Used goods do'),
  }),
  entry('wanted.support', 'Support and operations', {
    hours: text('Hours to cover'),
    languages: list('Languages'),
    term: choice('Term', 'once', 'ongoing'),
  }),
] as const;
