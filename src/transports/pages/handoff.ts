// The page that a link of an agent leads to: what is asked, in whose name, and a button. Whoever opens it signs in first; the link does
// not do that. An agent that nobody has claimed shows what it did, so that its person knows it again.
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { filled, type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';
import { day, figure, money, type Tongue } from './words.ts';

/** As handoff.read answers it. */
interface Asked {
  readonly purpose: 'onboarding' | 'verify' | 'approve';
  readonly handle: string | null;
  readonly provisional: boolean;
  readonly done: {
    readonly created_at: string;
    readonly conversations: number;
    readonly balance_cents: number;
  } | null;
}

/** The page of the app behind what a link asks for. */
const PAGES = { onboarding: '/onboarding', verify: '/proofs', approve: '/inbox' } as const;

function facts({ done }: Asked, tongue: Tongue): Html {
  if (!done) return html``;
  const words = tongue.words.agents.handoff;
  const [since, balance] = [day(tongue, done.created_at, true), money(tongue, done.balance_cents)];
  const talks = figure(tongue, done.conversations);
  return html`<dt>${words.set_up}</dt><dd>${since}</dd><dt>${words.conversations}</dt><dd>${talks}</dd><dt>${words.balance}</dt><dd>${balance}</dd>`;
}

function askedPage(visit: PageVisit, asked: Asked): Page {
  const { purpose, handle, provisional } = asked;
  const { agents, what_next } = visit.tongue.words;
  const { [purpose]: said, claim, on, agent, sign_in } = agents.handoff;
  const { title, lead } = provisional ? claim : said;
  const who = handle === null ? html`` : html`<dt>${agent}</dt><dd>@${handle}</dd>`;
  const go = visit.session
    ? html`<form method="post">${visit.token_field}<button class="main">${provisional ? claim.yes : on}</button></form>`
    : html`<nav aria-label="${what_next}"><a class="button main" href="${visit.sign_in.to}">${sign_in}</a></nav>`;
  return { title, body: html`<h1>${title}</h1><p>${lead}</p><dl>${who}${facts(asked, visit.tongue)}</dl>${go}` };
}

function claimedPage({ tongue }: PageVisit, handle: string, app: string): Page {
  const { agents, what_next } = tongue.words;
  const { claimed, claimed_lead, next } = agents.handoff;
  const lead = filled(claimed_lead, html`<strong>@${handle}</strong>`);
  return {
    title: claimed,
    body: html`<h1 role="status">${claimed}</h1><p>${lead}</p><nav aria-label="${what_next}"><a class="button main" href="${app}/onboarding">${next}</a></nav>`,
  };
}

async function go(visit: PageVisit, app: string): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const token = visit.params['token'] ?? '';
  const used = answered<{ purpose: Asked['purpose']; handle: string | null; claimed: boolean }>(
    await visit.ask('handoff.use', { token }),
  );
  if ('refusal' in used) return refusalPage(used.refusal, visit);
  if (used.claimed) return claimedPage(visit, used.handle ?? '', app);
  const query = used.handle === null ? '' : `?agent=${encodeURIComponent(used.handle)}`;
  return { to: `${app}${PAGES[used.purpose]}${query}` };
}

export function handoffPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/handoff/{token}`,
    get: async (visit) => {
      const token = visit.params['token'] ?? '';
      const asked = answered<Asked>(await visit.ask('handoff.read', { token }));
      return 'refusal' in asked ? refusalPage(asked.refusal, visit) : askedPage(visit, asked);
    },
    post: (visit) => go(visit, app),
  };
}
