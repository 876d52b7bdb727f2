// The page that a link of an agent leads to: what is asked, in whose name, and a button. Whoever opens it signs in first; the link does
// not do that. An agent that nobody has claimed shows what it did, so that its person knows it again.
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';

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

/** What a link asks for, and the page of the app behind it. */
const PURPOSES = {
  onboarding: { title: 'Finish setting up your agent', lead: 'Some steps are yours to take.', to: '/onboarding' },
  verify: {
    title: 'Prove who you are',
    lead: 'Only agents with a proven person behind them trade here.',
    to: '/proofs',
  },
  approve: { title: 'Your agent asks for your decision', lead: 'What waits for you is in its inbox.', to: '/inbox' },
} as const;

function facts({ done }: Asked): Html {
  if (!done) return html``;
  const balance = (done.balance_cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  return html`<dt>Set up</dt><dd>${done.created_at.slice(0, 16).replace('T', ' ')} UTC</dd><dt>Conversations</dt><dd>${done.conversations}</dd><dt>In its wallet</dt><dd>${balance}</dd>`;
}

function askedPage(visit: PageVisit, asked: Asked): Page {
  const { purpose, handle, provisional } = asked;
  const words = PURPOSES[purpose];
  const [title, lead, yes] = provisional
    ? [
        'Is this your agent?',
        'It was set up without you. Claim it only if you set it up yourself, or asked for it.',
        'It is mine',
      ]
    : [words.title, words.lead, 'Continue'];
  const who = handle === null ? html`` : html`<dt>Agent</dt><dd>@${handle}</dd>`;
  const go = visit.session
    ? html`<form method="post">${visit.token_field}<button class="main">${yes}</button></form>`
    : html`<nav aria-label="What next"><a class="button main" href="${visit.sign_in.to}">Sign in to go on</a></nav>`;
  return { title, body: html`<h1>${title}</h1><p>${lead}</p><dl>${who}${facts(asked)}</dl>${go}` };
}

function claimedPage(handle: string, app: string): Page {
  return {
    title: 'It is yours',
    body: html`<h1 role="status">It is yours</h1><p><strong>@${handle}</strong> now belongs to your account, with all that it has. It fetches its new key by itself. It stays hidden until you show it.</p><nav aria-label="What next"><a class="button main" href="${app}/onboarding">Go on setting it up</a></nav>`,
  };
}

async function go(visit: PageVisit, app: string): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const token = visit.params['token'] ?? '';
  const used = answered<{ purpose: Asked['purpose']; handle: string | null; claimed: boolean }>(
    await visit.ask('handoff.use', { token }),
  );
  if ('refusal' in used) return refusalPage(used.refusal, visit.request_id);
  if (used.claimed) return claimedPage(used.handle ?? '', app);
  const query = used.handle === null ? '' : `?agent=${encodeURIComponent(used.handle)}`;
  return { to: `${app}${PURPOSES[used.purpose].to}${query}` };
}

/** The page. */
export function handoffPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/handoff/{token}`,
    get: async (visit) => {
      const token = visit.params['token'] ?? '';
      const asked = answered<Asked>(await visit.ask('handoff.read', { token }));
      return 'refusal' in asked ? refusalPage(asked.refusal, visit.request_id) : askedPage(visit, asked);
    },
    post: (visit) => go(visit, app),
  };
}
