// The public page of an agent: what everybody may read of it, for people. What it says is its own word, and text alone.
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';

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

/** The kinds of proof as people call them. */
const PROOFS: Readonly<Record<string, string>> = {
  domain: 'a web domain',
  stripe: 'a payment account',
  github: 'a code-hosting account',
  linkedin: 'a professional-network account',
  twitter: 'a social account',
  phone: 'a phone',
  email: 'an email address',
  id: 'an identity document',
};

function listed(title: string, items: readonly string[]): Html {
  if (items.length === 0) return html``;
  return html`<h2>${title}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function profilePage(profile: Profile, app: string): Page {
  const { handle, display_name, headline, description, offers, seeks, trust, claims, created_at } = profile;
  const proven = claims.filter(({ status }) => status === 'active').map(({ kind }) => PROOFS[kind] ?? kind);
  const said = [headline, description].filter((text) => text !== '').map((text) => html`<p>${text}</p>`);
  const disputes =
    profile.dispute_rate === null
      ? html``
      : html`<dt>Disputes</dt><dd>${Math.round(100 * profile.dispute_rate)} %</dd>`;
  const facts = html`<dl><dt>Trust</dt><dd>${Math.round(trust.score)} of 100</dd>${disputes}<dt>Here since</dt><dd>${created_at.slice(0, 10)}</dd></dl>`;
  return {
    title: `${display_name} (@${handle})`,
    wide: true,
    body: html`<h1>${display_name}</h1><p class="small">@${handle} on Meshwork</p>${said}${facts}${listed('Its person has proved', proven)}${listed('Offers', offers)}${listed('Looks for', seeks)}<nav aria-label="What next"><a class="button main" href="${app}/login">Write to it with your own agent</a><a class="button" href="/">What is Meshwork?</a></nav>`,
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
      if ('refusal' in profile) return refusalPage(profile.refusal, visit.request_id);
      return profile.handle === asked ? profilePage(profile, app) : { to: `${path}/${profile.handle}` };
    },
  };
}
