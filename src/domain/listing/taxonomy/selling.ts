// The taxonomy of sales: services, software, data, APIs, media space, domain names and physical goods.

import { COMMON_FIELDS, choice, count, domain, entries, flag, list, percent, text } from './subcategory.ts';

const { offering, availability } = COMMON_FIELDS;
const entry = entries({
  card_type: 'selling',
  directions: ['offer'],
  pricing: ['fixed', 'hourly', 'daily', 'weekly', 'monthly', 'per_unit', 'quote', 'free'],
  shared: { offering },
});

const delivery = {
  delivery_days: count('Days from order to delivery'),
  revisions: count('Rounds of changes included'),
};
const SUBSCRIPTION = { pricing: ['fixed', 'monthly', 'yearly', 'usage', 'quote', 'free'] } as const;
const PLACEMENT = { pricing: ['fixed', 'quote'] } as const;

/** Subcategories of `selling`. */
export const SELLING = [
  entry('services.web_development', 'Web development', { stack: list('Languages and frameworks'), ...delivery }),
  entry('services.mobile_development', 'Mobile development', {
    platforms: list('Platforms, such as ios or android'),
    stack: list('Languages and frameworks'),
    ...delivery,
  }),
  entry('services.devops', 'DevOps and cloud', {
    clouds: list('Cloud providers'),
    tools: list('Tools'),
    on_call: flag('Is on call'),
  }),
  entry('services.ai_development', 'AI and machine learning', {
    methods: list('Methods'),
    stack: list('Frameworks'),
    ...delivery,
  }),
  entry('services.data_engineering', 'Data engineering and analysis', { tools: list('Tools'), ...delivery }),
  entry('services.security_audit', 'Security audit', {
    standards: list('Standards, such as soc-2'),
    scope: text('What is tested'),
    report: flag('A written report is included'),
  }),
  entry('services.quality_assurance', 'Testing and quality assurance', {
    kinds: list('Kinds of tests'),
    automated: flag('Automated'),
  }),
  entry('services.design', 'Design', {
    media: list('Fields of design, such as ui-ux or logo-design'),
    source_files: flag('Source files included'),
    ...delivery,
  }),
  entry('services.seo_audit', 'SEO audit', { pages: count('Pages covered'), tools: list('Tools'), ...delivery }),
  entry('services.marketing', 'Marketing campaigns', { channels: list('Channels'), regions: list('Regions') }),
  entry('services.content_writing', 'Content and copywriting', {
    languages: list('Languages'),
    words: count('Words included'),
    topics: list('Topics'),
    ...delivery,
  }),
  entry('services.translation', 'Translation', {
    source_languages: list('Languages translated from'),
    target_languages: list('Languages translated into'),
    certified: flag('Certified translations'),
  }),
  entry('services.video_production', 'Video and audio production', {
    minutes: count('Minutes of result'),
    ...delivery,
  }),
  entry('services.consulting', 'Consulting', {
    availability,
    industries: list('Industries'),
    format: choice('Where', 'remote', 'on_site', 'either'),
  }),
  entry('services.appointment', 'Bookable appointment', {
    availability,
    duration_minutes: count('Length in minutes'),
    format: choice('Where', 'video', 'phone', 'in_person'),
  }),
  entry('services.legal', 'Legal services', {
    availability,
    jurisdictions: list('Jurisdictions'),
    matters: list('Kinds of matters'),
  }),
  entry('services.accounting', 'Accounting and tax', {
    availability,
    jurisdictions: list('Jurisdictions'),
    software: list('Software'),
  }),
  entry(
    'services.recruiting',
    'Recruiting',
    { roles: list('Roles'), fee_percent: percent('Fee as a share of the first salary') },
    {
      pricing: ['fixed', 'commission', 'monthly', 'quote'],
    },
  ),
  entry('services.customer_support', 'Customer support', {
    availability,
    languages: list('Languages'),
    channels: list('Channels'),
    hours: text('Hours covered'),
  }),
  entry('services.research', 'Research and development', {
    fields_of_study: list('Fields'),
    stage: text('Readiness'),
    ...delivery,
  }),
  entry('services.training', 'Training and tutoring', {
    availability,
    subjects: list('Subjects'),
    sessions: count('Sessions'),
  }),
  entry(
    'software.saas_subscription',
    'Software subscription',
    {
      seats: count('Seats included'),
      trial_days: count('Days of free trial'),
      integrations: list('Integrations'),
      uptime_percent: percent('Promised uptime'),
    },
    SUBSCRIPTION,
  ),
  entry(
    'software.license',
    'Software licence',
    { platforms: list('Platforms'), licence: text('Licence terms'), perpetual: flag('The licence has no end') },
    SUBSCRIPTION,
  ),
  entry(
    'software.template',
    'Template or component',
    { stack: list('Made with'), licence: text('Licence terms') },
    { pricing: ['fixed', 'free'] },
  ),
  entry(
    'software.agent',
    'Software agent',
    { capabilities: list('What it does'), protocols: list('Protocols, such as mcp or a2a') },
    SUBSCRIPTION,
  ),
  entry(
    'data.dataset',
    'Data set',
    {
      format: list('Formats, such as csv or parquet'),
      rows: count('Rows'),
      licence: text('Licence terms'),
      updated: choice('How often it is renewed', 'once', 'daily', 'weekly', 'monthly', 'live'),
    },
    { pricing: ['fixed', 'monthly', 'yearly', 'usage', 'free'] },
  ),
  entry(
    'data.leads',
    'Lead list',
    {
      industry: list('Industries'),
      regions: list('Regions'),
      leads: count('Leads'),
      consented: flag('The people have consented'),
    },
    {
      pricing: ['fixed', 'per_unit', 'quote'],
    },
  ),
  entry(
    'api.access',
    'API access',
    {
      calls_included: count('Calls a month'),
      rate_per_minute: count('Most calls a minute'),
      auth: choice('Credential', 'none', 'api_key', 'oauth'),
    },
    SUBSCRIPTION,
  ),
  entry(
    'media.sponsorship',
    'Sponsorship',
    { medium: choice('Medium', 'newsletter', 'podcast', 'event', 'video', 'site'), audience: count('Audience') },
    PLACEMENT,
  ),
  entry(
    'media.placement',
    'Advertising placement',
    { medium: text('Where it appears'), days: count('Days shown'), audience: count('Audience') },
    PLACEMENT,
  ),
  entry(
    'domains.sale',
    'Domain name for sale',
    { domain: domain('The name for sale'), registered_year: count('Year of registration') },
    {
      pricing: ['fixed', 'quote'],
      gates: ['domain_verified'],
    },
  ),
  entry(
    'goods.physical',
    'Physical goods',
    {
      unit: text('Unit of sale'),
      minimum_order: count('Smallest order'),
      ships_to: list('Countries it ships to'),
      condition: choice('Condition', 'new', 'refurbished', 'used'),
    },
    { pricing: ['fixed', 'per_unit', 'quote'] },
  ),
] as const;
