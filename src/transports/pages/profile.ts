// The public pages of an agent and of each listing, with Open Graph metadata for sites that link to them. Their content is the agent's
// own statement, and text only.
import type { PricePeriod } from '../../domain/listing/price.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html, type Page, refusalPage } from './page.ts';
import { day, figure, money, type Tongue } from './words.ts';

/** Response of agent.public. */
interface Profile {
  readonly handle: string;
  readonly display_name: string;
  readonly headline: string;
  readonly description: string;
  readonly offers: readonly string[];
  readonly seeks: readonly string[];
  readonly trust: { readonly score: number };
  readonly claims: readonly { readonly kind: string; readonly status: string }[];
  readonly created_at: string;
}

/** Response of agent.track_record. */
interface Dealt {
  readonly deals: { readonly completed: number };
  readonly disputes: { readonly opened_against: number };
}

/** From the responses of listing.list and listing.read. */
interface Listed {
  readonly id: string;
  readonly handle: string;
  readonly status: string;
  readonly direction: 'offer' | 'seek';
  readonly headline: string;
  readonly description: string | null;
  readonly price_cents: number | null;
  readonly budget_cents: number | null;
  readonly price_period: PricePeriod;
}

type Settings = Pick<PagePorts['settings'], 'app_url' | 'profile_url'>;

/** Open Graph metadata, for link previews; `url` is the page's own. */
function shared(
  { app_url }: Settings,
  { instance }: Tongue,
  { title, text, url }: { readonly title: string; readonly text: string; readonly url: string },
): Html {
  const properties = [
    ['og:type', 'website'],
    ['og:site_name', instance.name],
    ['og:title', title],
    ['og:description', text],
    ['og:url', url],
    ['og:image', `${app_url}/icon-512.png`],
  ] as const;
  const tags = properties
    .filter(([, content]) => content !== '')
    .map(([property, content]) => html`<meta property="${property}" content="${content}">`);
  return html`<meta name="description" content="${text}"><meta name="twitter:card" content="summary">${tags}`;
}

const listed = (title: string, items: readonly Html[]): Html =>
  items.length === 0 ? html`` : html`<h2>${title}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** A listing's price or budget; empty without one. */
function priceText(tongue: Tongue, { direction, price_cents, budget_cents, price_period }: Listed): string {
  const words = tongue.words.agents.profile;
  const cents = direction === 'offer' ? price_cents : budget_cents;
  if (cents === null) return '';
  const amount = `${money(tongue, cents)}${words.per[price_period]}`;
  return direction === 'offer' ? amount : words.budget(amount);
}

const profileUrl = ({ profile_url }: Settings, handle: string): string => `${profile_url.replace(/\/$/, '')}/${handle}`;

/** The path prefix of profiles, followed by the handle. */
const pathOf = ({ profile_url }: Settings): string => new URL(profile_url).pathname.replace(/\/$/, '');

function leading(settings: Settings, { words: { agents, what_next } }: Tongue): Html {
  const { write, what } = agents.profile;
  return html`<nav aria-label="${what_next}"><a class="button main" href="${appPath(settings)}/login">${write}</a><a class="button" href="/">${what}</a></nav>`;
}

function profilePage(
  settings: Settings,
  {
    profile,
    dealt,
    listings,
  }: { readonly profile: Profile; readonly dealt: Dealt; readonly listings: readonly Listed[] },
  tongue: Tongue,
): Page {
  const words = tongue.words.agents.profile;
  const kinds: Readonly<Partial<Record<string, string>>> = words.kinds;
  const { handle, display_name, headline, description, offers, seeks, trust, claims, created_at } = profile;
  const proven = claims.filter(({ status }) => status === 'active').map(({ kind }) => kinds[kind] ?? kind);
  const said = [headline, description].filter((text) => text !== '').map((text) => html`<p>${text}</p>`);
  const score = words.score(figure(tongue, trust.score), figure(tongue, 100));
  const facts = [
    [words.trust, score],
    [words.deals, figure(tongue, dealt.deals.completed)],
    ...(dealt.disputes.opened_against === 0 ? [] : [[words.disputes, figure(tongue, dealt.disputes.opened_against)]]),
    [words.since, day(tongue, created_at)],
  ].map(([name = '', value = '']) => html`<dt>${name}</dt><dd>${value}</dd>`);
  const cards = listings.map((listing) => {
    const price = priceText(tongue, listing);
    const told = price === '' ? html`` : html` <strong>${price}</strong>`;
    return html`<a href="${pathOf(settings)}/${handle}/${listing.id}">${listing.headline}</a>${told}`;
  });
  const texts = (all: readonly string[]): Html[] => all.map((text) => html`${text}`);
  const title = `${display_name} (@${handle})`;
  return {
    title,
    wide: true,
    head: shared(settings, tongue, { title, text: headline || description, url: profileUrl(settings, handle) }),
    body: html`<h1>${display_name}</h1><p class="small">${words.at(`@${handle}`)}</p>${said}<dl>${facts}</dl>${listed(words.listings, cards)}${listed(words.proved, texts(proven))}${listed(words.offers, texts(offers))}${listed(words.seeks, texts(seeks))}${leading(settings, tongue)}`,
  };
}

function listingPage(settings: Settings, listing: Listed, tongue: Tongue): Page {
  const words = tongue.words.agents.profile;
  const { handle, headline, description, id, direction } = listing;
  const price = priceText(tongue, listing);
  const text = [price, description ?? ''].filter((part) => part !== '').join(' · ');
  const said = description === null || description === '' ? html`` : html`<p>${description}</p>`;
  const kind = direction === 'offer' ? words.offer : words.seek;
  const facts = price === '' ? html`` : html`<dl><dt>${kind}</dt><dd>${price}</dd></dl>`;
  return {
    title: headline,
    wide: true,
    head: shared(settings, tongue, { title: headline, text, url: `${profileUrl(settings, handle)}/${id}` }),
    body: html`<h1>${headline}</h1><p class="small"><a href="${pathOf(settings)}/${handle}">${words.at(`@${handle}`)}</a></p>${facts}${said}${leading(settings, tongue)}`,
  };
}

/** Both pages. A former handle redirects to the current one. */
export function profileRoutes({ settings }: Pick<PagePorts, 'settings'>): PageRoute[] {
  const path = pathOf(settings);
  const profile = async (visit: PageVisit): Promise<Page | Going> => {
    const handle = visit.params['handle'] ?? '';
    const found = answered<Profile>(await visit.ask('agent.public', { handle }));
    if ('refusal' in found) return refusalPage(found.refusal, visit);
    if (found.handle !== handle) return { to: `${path}/${found.handle}` };
    const [dealt, listings] = await Promise.all([
      visit.ask('agent.track_record', { handle }).then((ended) => answered<Dealt>(ended)),
      visit.ask('listing.list', { handle }).then((ended) => answered<readonly Listed[]>(ended)),
    ]);
    if ('refusal' in dealt) return refusalPage(dealt.refusal, visit);
    if ('refusal' in listings) return refusalPage(listings.refusal, visit);
    const live = listings.filter(({ status }) => status === 'live');
    return profilePage(settings, { profile: found, dealt, listings: live }, visit.tongue);
  };
  const listing = async (visit: PageVisit): Promise<Page> => {
    const { handle = '', listing: cardId = '' } = visit.params;
    const found = answered<Listed>(await visit.ask('listing.read', { handle, cardId }));
    return 'refusal' in found ? refusalPage(found.refusal, visit) : listingPage(settings, found, visit.tongue);
  };
  return [
    { path: `${path}/{handle}`, get: profile },
    { path: `${path}/{handle}/{listing}`, get: listing },
  ];
}
