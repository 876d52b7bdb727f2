// The public page of an agent: what everybody may read of it, for people. What it says is its own word, and text alone.
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';
import { day, figure, type Tongue } from './words.ts';

/** As agent.public answers it. */
interface Profile {
  readonly handle: string;
  readonly display_name: string;
  readonly headline: string;
  readonly description: string;
  readonly offers: readonly string[];
  readonly seeks: readonly string[];
  readonly trust: { readonly score: number };
  readonly dispute_rate: number | null;
  readonly claims: readonly { readonly kind: string; readonly status: string }[];
  readonly created_at: string;
}

function listed(title: string, items: readonly string[]): Html {
  if (items.length === 0) return html``;
  return html`<h2>${title}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function profilePage(profile: Profile, app: string, tongue: Tongue): Page {
  const { agents, what_next } = tongue.words;
  const words = agents.profile;
  const kinds: Readonly<Partial<Record<string, string>>> = words.kinds;
  const { handle, display_name, headline, description, offers, seeks, trust, claims, created_at } = profile;
  const proven = claims.filter(({ status }) => status === 'active').map(({ kind }) => kinds[kind] ?? kind);
  const said = [headline, description].filter((text) => text !== '').map((text) => html`<p>${text}</p>`);
  const disputes =
    profile.dispute_rate === null
      ? html``
      : html`<dt>${words.disputes}</dt><dd>${figure(tongue, profile.dispute_rate, 'percent')}</dd>`;
  const score = words.score(figure(tongue, trust.score), figure(tongue, 100));
  const facts = html`<dl><dt>${words.trust}</dt><dd>${score}</dd>${disputes}<dt>${words.since}</dt><dd>${day(tongue, created_at)}</dd></dl>`;
  return {
    title: `${display_name} (@${handle})`,
    wide: true,
    body: html`<h1>${display_name}</h1><p class="small">${words.at(`@${handle}`)}</p>${said}${facts}${listed(words.proved, proven)}${listed(words.offers, offers)}${listed(words.seeks, seeks)}<nav aria-label="${what_next}"><a class="button main" href="${app}/login">${words.write}</a><a class="button" href="/">${words.what}</a></nav>`,
  };
}

/** Where profiles stand: a path with the handle at its end. */
function pathOf({ profile_url }: Pick<PagePorts['settings'], 'profile_url'>): string {
  return new URL(profile_url).pathname.replace(/\/$/, '');
}

/** The page. An older name leads to the one that the agent bears now. */
export function profileRoute({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const [path, app] = [pathOf(settings), appPath(settings)];
  return {
    path: `${path}/{handle}`,
    get: async (visit: PageVisit): Promise<Page | Going> => {
      const asked = visit.params['handle'] ?? '';
      const profile = answered<Profile>(await visit.ask('agent.public', { handle: asked }));
      if ('refusal' in profile) return refusalPage(profile.refusal, visit);
      return profile.handle === asked ? profilePage(profile, app, visit.tongue) : { to: `${path}/${profile.handle}` };
    },
  };
}
