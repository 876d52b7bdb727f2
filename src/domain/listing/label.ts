// Labels: how words of a listing become names of the shared label table (rules.md 5, questions.md 42). A label is folded,
// then resolved through the aliases, on save and on every lookup, so that two agents who mean the same get the same label.
import { type Fault, invalid } from '../fault.ts';
import { hyphenate } from '../text/fold.ts';
import { isVisible } from '../text/visible.ts';

// The alias table of labels (rules.md 5): canonical label, then its synonyms. The canonical name is the most common
// spelling. Only true synonyms are listed: a narrower word ("react" for "javascript") stays a label of its own, since
// merging it would make unwanted matches.

/** Canonical label → its aliases, all folded (`[a-z0-9-]`). No alias is canonical elsewhere or listed twice. */
export const LABEL_ALIASES: Readonly<Record<string, readonly string[]>> = {
  // Languages and run-times.
  javascript: ['js', 'java-script', 'ecmascript', 'es6', 'vanilla-js'],
  typescript: ['ts', 'type-script'],
  python: ['py', 'python3', 'python-3', 'python-programming'],
  golang: ['go-lang', 'go-language', 'go-programming'],
  ruby: ['ruby-lang'],
  rust: ['rust-lang', 'rustlang'],
  kotlin: ['kotlin-lang'],
  'c-plus-plus': ['cpp', 'cplusplus', 'c-plusplus'],
  'c-sharp': ['csharp'],
  'f-sharp': ['fsharp'],
  'dot-net': ['dotnet', 'net-core', 'dot-net-core', 'dotnet-core', 'net-framework'],
  'asp-net': ['aspnet', 'asp-dot-net'],
  'objective-c': ['objc', 'obj-c', 'objectivec'],
  'visual-basic': ['vb', 'visualbasic'],
  'vb-net': ['vbnet', 'vb-dot-net'],
  'node-js': ['nodejs', 'node'],
  bash: ['shell-script', 'shell-scripting', 'bash-scripting'],
  html: ['html5'],
  css: ['css3'],
  // Frameworks and libraries.
  react: ['reactjs', 'react-js'],
  'react-native': ['reactnative', 'rn'],
  vue: ['vuejs', 'vue-js'],
  angular: ['angularjs', 'angular-js'],
  svelte: ['sveltejs', 'svelte-js'],
  'next-js': ['nextjs'],
  'nuxt-js': ['nuxtjs', 'nuxt'],
  'express-js': ['expressjs'],
  'nest-js': ['nestjs'],
  'three-js': ['threejs'],
  'd3-js': ['d3', 'd3js'],
  rails: ['ruby-on-rails', 'ror'],
  'spring-boot': ['springboot'],
  'tailwind-css': ['tailwind', 'tailwindcss'],
  'scikit-learn': ['sklearn', 'scikit'],
  tensorflow: ['tensor-flow'],
  pytorch: ['py-torch'],
  // Infrastructure.
  kubernetes: ['k8s', 'kube', 'k8'],
  'infrastructure-as-code': ['iac', 'infra-as-code'],
  'ci-cd': ['cicd', 'ci', 'continuous-integration', 'continuous-delivery', 'continuous-deployment'],
  devops: ['dev-ops'],
  devsecops: ['dev-sec-ops'],
  mlops: ['ml-ops'],
  'site-reliability-engineering': ['sre', 'site-reliability', 'site-reliability-engineer'],
  aws: ['amazon-web-services', 'amazon-aws'],
  'google-cloud': ['gcp', 'google-cloud-platform'],
  azure: ['microsoft-azure', 'ms-azure'],
  'virtual-machines': ['vm', 'vms', 'virtual-machine'],
  'content-delivery-network': ['cdn', 'cdns'],
  'cloud-computing': ['cloud', 'the-cloud'],
  'cloud-migration': ['migration-to-cloud', 'cloud-migrations'],
  serverless: ['server-less'],
  microservices: ['micro-services', 'microservice'],
  'message-queues': ['message-queue', 'mq', 'message-broker'],
  linux: ['gnu-linux'],
  'operating-systems': ['os', 'operating-system'],
  // Data stores.
  postgresql: ['postgres', 'pg', 'psql', 'postgre-sql'],
  mysql: ['my-sql'],
  mongodb: ['mongo', 'mongo-db'],
  elasticsearch: ['elastic-search'],
  'sql-server': ['mssql', 'ms-sql', 'microsoft-sql-server'],
  nosql: ['no-sql'],
  databases: ['database', 'db', 'dbs'],
  'database-administration': ['dba', 'database-admin', 'database-administrator'],
  'vector-databases': ['vector-database', 'vector-db', 'vector-store'],
  // Kinds of software work.
  frontend: ['front-end', 'frontend-development', 'front-end-development', 'fe', 'frontend-dev'],
  backend: ['back-end', 'backend-development', 'back-end-development', 'backend-dev'],
  fullstack: ['full-stack', 'full-stack-development', 'fullstack-development'],
  'web-development': ['web-dev', 'webdev', 'website-development', 'web-developer', 'site-development'],
  'software-development': ['software-dev', 'software-engineering', 'swe'],
  'mobile-development': ['mobile-dev', 'app-development', 'mobile-app-development', 'mobile-apps'],
  'ios-development': ['ios-dev', 'iphone-development', 'ios-app-development'],
  'android-development': ['android-dev', 'android-app-development'],
  'game-development': ['game-dev', 'gamedev'],
  'embedded-systems': ['embedded', 'embedded-software', 'embedded-development'],
  'internet-of-things': ['iot', 'internet-of-thing'],
  'object-oriented-programming': ['oop', 'object-oriented'],
  'quality-assurance': ['qa', 'software-testing', 'software-qa', 'qa-testing'],
  'test-automation': ['automated-testing', 'qa-automation', 'automation-testing'],
  'technical-writing': ['tech-writing', 'technical-documentation', 'tech-writer', 'technical-writer'],
  'open-source': ['oss', 'foss', 'opensource', 'open-source-software'],
  'minimum-viable-product': ['mvp', 'mvp-development'],
  'proof-of-concept': ['poc'],
  saas: ['software-as-a-service'],
  paas: ['platform-as-a-service'],
  iaas: ['infrastructure-as-a-service'],
  api: ['apis', 'application-programming-interface'],
  'rest-api': ['rest', 'restful', 'restful-api', 'rest-apis'],
  'api-integration': ['api-integrations', 'integration-of-apis'],
  sdk: ['sdks', 'software-development-kit'],
  cms: ['content-management-system', 'content-management-systems'],
  erp: ['enterprise-resource-planning'],
  'no-code': ['nocode'],
  'low-code': ['lowcode'],
  rpa: ['robotic-process-automation'],
  'user-stories': ['user-story'],
  // Artificial intelligence and data.
  ai: ['artificial-intelligence', 'a-i'],
  'machine-learning': ['ml', 'machinelearning'],
  'deep-learning': ['dl', 'deeplearning'],
  'natural-language-processing': ['nlp', 'natural-language'],
  'large-language-models': ['llm', 'llms', 'large-language-model'],
  'generative-ai': ['genai', 'gen-ai', 'generative-artificial-intelligence'],
  'retrieval-augmented-generation': ['rag'],
  'computer-vision': ['machine-vision', 'image-recognition'],
  'reinforcement-learning': ['rl'],
  'ai-agents': ['ai-agent', 'agentic-ai', 'llm-agents', 'autonomous-agents'],
  chatbots: ['chatbot', 'chat-bot', 'chat-bots'],
  'speech-recognition': ['asr', 'speech-to-text', 'stt'],
  'text-to-speech': ['tts', 'speech-synthesis'],
  'optical-character-recognition': ['ocr'],
  'prompt-engineering': ['prompt-design', 'prompting'],
  'data-science': ['data-scientist', 'datascience'],
  'data-engineering': ['data-engineer', 'data-pipelines', 'data-pipeline'],
  'data-analysis': ['data-analytics', 'data-analyst'],
  'data-visualization': ['data-viz', 'dataviz', 'data-visualisation'],
  'business-intelligence': ['bi', 'bi-reporting'],
  'data-labeling': ['data-labelling', 'data-annotation', 'annotation'],
  'web-scraping': ['scraping', 'web-scraper', 'web-crawling', 'data-scraping'],
  etl: ['extract-transform-load'],
  'big-data': ['bigdata'],
  datasets: ['dataset', 'data-set', 'data-sets'],
  'power-bi': ['powerbi', 'microsoft-power-bi'],
  excel: ['ms-excel', 'microsoft-excel'],
  'geographic-information-systems': ['gis', 'geographic-information-system'],
  'augmented-reality': ['ar'],
  'virtual-reality': ['vr'],
  blockchain: ['block-chain', 'distributed-ledger', 'dlt'],
  'smart-contracts': ['smart-contract'],
  // Security.
  cybersecurity: ['cyber-security', 'information-security', 'infosec', 'it-security', 'cyber'],
  'penetration-testing': ['pentest', 'pentesting', 'pen-testing', 'pen-test', 'penetration-test'],
  'security-audit': ['security-audits', 'security-assessment', 'security-review'],
  'identity-and-access-management': ['iam', 'identity-management', 'identity-access-management'],
  'single-sign-on': ['sso'],
  'multi-factor-authentication': ['mfa', '2fa', 'two-factor-authentication'],
  'soc-2': ['soc2', 'soc-2-compliance', 'soc2-compliance'],
  'iso-27001': ['iso27001'],
  gdpr: ['general-data-protection-regulation'],
  hipaa: ['hipaa-compliance'],
  // Design and media.
  'ui-ux': [
    'ux-design',
    'ui-design',
    'ux-ui',
    'uiux',
    'uxui',
    'ui-ux-design',
    'user-experience',
    'ux',
    'user-interface',
  ],
  'graphic-design': ['graphics-design', 'graphic-designer', 'graphic-arts'],
  'web-design': ['website-design', 'webdesign', 'web-designer'],
  'logo-design': ['logo', 'logos', 'logo-designer'],
  branding: ['brand-identity', 'brand-design'],
  'design-systems': ['design-system'],
  'video-editing': ['video-editor', 'video-post-production'],
  'video-production': ['videography', 'videographer'],
  'motion-graphics': ['motion-design', 'motion-graphic'],
  '3d-modeling': ['3d-modelling', '3d-design', '3d-models'],
  '3d-printing': ['additive-manufacturing', '3d-print'],
  'computer-aided-design': ['cad', 'cad-design'],
  photography: ['photographer'],
  photoshop: ['adobe-photoshop'],
  illustrator: ['adobe-illustrator'],
  podcasting: ['podcast', 'podcasts', 'podcast-production'],
  // Marketing and sales.
  seo: ['search-engine-optimization', 'search-engine-optimisation', 'seo-services', 'organic-search'],
  sem: ['search-engine-marketing'],
  ppc: ['pay-per-click', 'paid-search'],
  'google-ads': ['adwords', 'google-adwords'],
  'facebook-ads': ['meta-ads', 'fb-ads'],
  'social-media-marketing': ['smm', 'social-marketing', 'social-media-management'],
  'content-marketing': ['content-strategy'],
  'email-marketing': ['e-mail-marketing', 'email-campaigns', 'newsletter-marketing'],
  copywriting: ['copy-writing', 'copywriter', 'sales-copy'],
  'content-writing': ['content-writer', 'article-writing', 'blog-writing', 'content-creation'],
  'link-building': ['linkbuilding', 'backlink-building', 'link-acquisition'],
  backlinks: ['backlink', 'back-links', 'back-link'],
  'guest-posts': ['guest-post', 'guest-posting', 'guest-blogging'],
  'influencer-marketing': ['influencers', 'influencer', 'creator-marketing'],
  'affiliate-marketing': ['affiliate', 'affiliates', 'affiliate-program'],
  'public-relations': ['pr', 'press-relations', 'media-relations'],
  'conversion-rate-optimization': ['cro', 'conversion-optimization', 'conversion-rate-optimisation'],
  'growth-marketing': ['growth-hacking'],
  'lead-generation': ['leadgen', 'lead-gen', 'leads', 'prospecting'],
  'go-to-market': ['gtm', 'go-to-market-strategy'],
  'digital-marketing': ['online-marketing', 'internet-marketing'],
  'market-research': ['marketing-research', 'consumer-research'],
  'business-development': ['biz-dev', 'bizdev', 'bd'],
  crm: ['customer-relationship-management', 'crm-software'],
  'e-commerce': ['ecommerce', 'online-store', 'online-shop', 'online-retail'],
  'app-store-optimization': ['aso', 'app-store-optimisation'],
  b2b: ['business-to-business'],
  b2c: ['business-to-consumer'],
  'direct-to-consumer': ['d2c', 'dtc'],
  // Business, finance, law, people.
  'project-management': ['project-manager', 'project-mgmt'],
  'product-management': ['product-manager', 'product-mgmt'],
  'customer-support': ['customer-service', 'customer-care', 'helpdesk', 'help-desk', 'support-desk'],
  'customer-success': ['customer-success-management'],
  'virtual-assistant': ['virtual-assistants', 'virtual-assistance'],
  'human-resources': ['hr', 'people-operations', 'people-ops'],
  recruiting: ['recruitment', 'talent-acquisition', 'recruiter', 'headhunting'],
  bookkeeping: ['book-keeping', 'bookkeeper'],
  accounting: ['accountant', 'accountancy'],
  tax: ['taxes', 'taxation', 'tax-preparation'],
  'mergers-and-acquisitions': ['m-a', 'm-and-a', 'merger-and-acquisition', 'mergers-acquisitions'],
  'research-and-development': ['r-d', 'r-and-d', 'research-development'],
  'venture-capital': ['vc', 'vcs'],
  'private-equity': ['private-equities'],
  'angel-investing': ['angel', 'angel-investor', 'angel-investors', 'angel-investment'],
  'pre-seed': ['preseed', 'pre-seed-round'],
  'seed-round': ['seed-investment', 'seed-stage', 'seed-funding'],
  'series-a': ['series-a-round'],
  fundraising: ['fund-raising', 'capital-raising', 'raising-capital'],
  fintech: ['fin-tech', 'financial-technology'],
  healthtech: ['health-tech', 'healthcare-technology', 'digital-health'],
  edtech: ['ed-tech', 'education-technology'],
  proptech: ['prop-tech', 'property-technology'],
  insurtech: ['insurance-technology'],
  'climate-tech': ['climatetech', 'cleantech', 'clean-tech'],
  biotech: ['biotechnology', 'bio-tech'],
  'real-estate': ['realestate', 'realty'],
  'supply-chain': ['supply-chain-management'],
  logistics: ['logistic', 'freight-logistics'],
  'corporate-law': ['business-law', 'company-law'],
  'intellectual-property': ['ip-law', 'intellectual-property-law'],
  'contract-review': ['contract-reviews', 'contract-drafting'],
  startups: ['startup', 'start-up', 'start-ups'],
  'small-business': ['smb', 'smbs', 'sme', 'smes', 'small-businesses'],
  consulting: ['consultancy', 'consultant', 'advisory'],
  freelance: ['freelancer', 'freelancing', 'freelancers'],
  remote: ['remote-work', 'work-from-home', 'wfh', 'telework', 'telecommute'],
  'part-time': ['parttime'],
  'full-time': ['fulltime'],
  internship: ['intern', 'internships'],
  translation: ['translations', 'translator', 'translation-services'],
  localization: ['localisation', 'l10n'],
  internationalization: ['internationalisation', 'i18n'],
  accessibility: ['a11y', 'web-accessibility', 'wcag'],
  transcription: ['transcripts', 'transcribing', 'transcriptionist'],
  proofreading: ['proof-reading', 'proofreader'],
  'data-entry': ['dataentry', 'data-entry-clerk'],
  'event-planning': ['event-management', 'event-planner', 'events-planning'],
  tutoring: ['tutor', 'tutors', 'private-lessons'],
  hvac: ['heating-ventilation-and-air-conditioning', 'heating-and-cooling'],
};

/** A listing's labels: `1..20`; more would let one listing share a label with all others. */
export const MAX_LABELS = 20;
/** Of `[a-z0-9-]{1,40}` (questions.md 42). */
export const MAX_LABEL_CHARS = 40;

const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries(LABEL_ALIASES).flatMap(([label, aliases]) => aliases.map((alias) => [alias, label] as const)),
);

/** The label of a text: folded, then resolved through the aliases; empty when no character is left. */
export function resolveLabel(text: string): string {
  const folded = hyphenate(text);
  return CANONICAL.get(folded) ?? folded;
}

/** The other spellings of a canonical label, for autocomplete. */
function aliasesOf(label: string): readonly string[] {
  return Object.hasOwn(LABEL_ALIASES, label) ? (LABEL_ALIASES[label] ?? []) : [];
}

/**
 * A listing's or query's labels, folded, resolved and without duplicates, in the given order. Fault: `invalid_request`
 * naming `path.index` for a label that folds to nothing or has over 40 characters, and `path` for more than 20.
 */
export function foldLabels(list: readonly string[], path = 'labels'): { labels: string[] } | Fault<'invalid_request'> {
  if (list.length > MAX_LABELS) return invalid({ path, message: `Give at most ${MAX_LABELS} labels.` });
  const labels = new Set<string>();
  const problems: { path: string; message: string }[] = [];
  list.forEach((text, index) => {
    // Invisible characters may map to letters (tag characters do), and would make a label from an empty-looking text.
    const label = isVisible(text) ? resolveLabel(text) : '';
    if (label === '') {
      problems.push({ path: `${path}.${index}`, message: 'Nothing is left of this label; use letters or digits.' });
    } else if (label.length > MAX_LABEL_CHARS) {
      problems.push({ path: `${path}.${index}`, message: `A label has at most ${MAX_LABEL_CHARS} characters.` });
    } else labels.add(label);
  });
  return problems.length > 0 ? invalid(...problems) : { labels: [...labels] };
}

/** A known name of the label table; `uses` counts live listings with it (or providers that serve it: Q65). */
export interface LabelUse {
  readonly name: string;
  readonly kind: 'label' | 'capability';
  readonly uses: number;
}

// Labels are already folded; names of capabilities may hold dots and underscores.
const FOLDED = /^[a-z0-9-]*$/;

// Smaller is better: equal, prefix, prefix of a later word (or of an alias), substring.
function rank(query: string, label: string, name: string): number | null {
  if (name === query || name === label) return 0;
  if (name.startsWith(query)) return 1;
  const folded = FOLDED.test(name) ? name : hyphenate(name);
  if (folded.startsWith(query)) return 1;
  if (folded.includes(`-${query}`)) return 2;
  if (aliasesOf(name).some((alias) => alias.startsWith(query))) return 2;
  return folded.includes(query) ? 3 : null;
}

/**
 * Autocomplete over known names: exact, then prefix, then word prefix, then substring; within a rank the most used
 * first, then by name. An empty query lists the most used.
 */
export function rankLabels(text: string, known: Iterable<LabelUse>, limit: number): LabelUse[] {
  const query = hyphenate(text);
  if (query === '' && text.trim() !== '') return [];
  const label = resolveLabel(text);
  const hits: { use: LabelUse; rank: number }[] = [];
  for (const use of known) {
    const place = query === '' ? 0 : rank(query, label, use.name);
    if (place !== null) hits.push({ use, rank: place });
  }
  hits.sort((a, b) => a.rank - b.rank || b.use.uses - a.use.uses || (a.use.name < b.use.name ? -1 : 1));
  return hits.slice(0, limit).map((hit) => hit.use);
}

/** The canonical labels that a text finds by name or alias, whether or not a listing has them. */
export function canonicalHits(text: string): string[] {
  const query = hyphenate(text);
  if (query === '') return [];
  const label = resolveLabel(text);
  return Object.keys(LABEL_ALIASES).filter((name) => rank(query, label, name) !== null);
}

/** Whether a label is in the service's own table. */
export function isTableLabel(label: string): boolean {
  return Object.hasOwn(LABEL_ALIASES, label);
}
