// Where a person proves who they are for one of their agents: the proofs that this server takes, and what is proven so far. A phone and
// an account elsewhere are proven here, without any script; a domain in the app.
import { beginAccountProof, siteButtons, sitesOf } from './account-proof.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';

const TITLE = 'Prove who you are';

interface Trying {
  readonly phone?: string;
  readonly problem?: string;
  readonly status?: number;
}

const alert = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="error" id="problem" role="alert">${problem}</p>`;
const marked = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html` aria-invalid="true" aria-describedby="problem"`;

const NAMES: Readonly<Record<string, string>> = {
  identity: 'Your identity',
  stripe: 'A payout account',
  domain: 'A web domain',
  linkedin: 'A LinkedIn account',
  github: 'A GitHub account',
  phone: 'A phone',
  twitter: 'An X account',
};

/** What is proven of an agent. An address is no proof. */
async function provenOf(visit: PageVisit, agent: string): Promise<Html> {
  const read = answered<{ readonly credentials: readonly { readonly kind: string; readonly status: string }[] }>(
    await visit.ask('trust.signals', {}, agent),
  );
  const kinds = 'refusal' in read ? [] : read.credentials.filter(({ kind }) => kind in NAMES);
  if (kinds.length === 0) return html``;
  const each = kinds.map(
    ({ kind, status }) => html`<li>${NAMES[kind] ?? kind}${status === 'failing' ? ', which no longer holds' : ''}</li>`,
  );
  return html`<h2>Proven</h2><ul>${each}</ul>`;
}

async function listPage(
  visit: PageVisit,
  agent: string,
  app: string,
  { phone = '', problem, status }: Trying,
): Promise<Page> {
  const { token_field } = visit;
  const kept = html`${token_field}<input type="hidden" name="agent" value="${agent}">`;
  const sites = siteButtons(await sitesOf(visit), kept);
  const proven = await provenOf(visit, agent);
  const field = html`<label for="phone">Phone number, with + and the country code</label><input id="phone" name="phone" type="tel" autocomplete="tel" maxlength="32" value="${phone}" required${marked(problem)}>`;
  return {
    title: TITLE,
    ...(status !== undefined && { status }),
    body: html`<h1>${TITLE}</h1><p>One proof is enough for <strong>@${agent}</strong> to trade; others see that there is one, never the number or account itself.</p>${proven}<h2>A phone</h2>${alert(problem)}<form method="post">${kept}${field}<button class="main" name="step" value="phone">Text me a code</button></form>${sites}<h2>In the app</h2><ul><li><a href="${app}/trust">A web domain, and how your trust score is made</a></li></ul>`,
  };
}

function codePage({ token_field }: PageVisit, agent: string, { phone = '', problem, status }: Trying): Page {
  const kept = html`${token_field}<input type="hidden" name="agent" value="${agent}"><input type="hidden" name="phone" value="${phone}">`;
  return {
    title: 'Enter the code',
    ...(status !== undefined && { status }),
    body: html`<h1>Enter the code</h1><p>Six digits are on their way to <strong>${phone}</strong>.</p>${alert(problem)}<form method="post">${kept}<label for="code">Code</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,7}" maxlength="7" required autofocus${marked(problem)}><button class="main" name="step" value="code">Prove it</button></form><form method="post">${kept}<button name="step" value="phone">Text another code</button></form>`,
  };
}

function provenPage(agent: string, app: string): Page {
  return {
    title: 'Proven',
    body: html`<h1 role="status">Proven</h1><p><strong>@${agent}</strong> can publish, sell and be paid.</p><nav aria-label="What next"><a class="button main" href="${app}/trust">See what is proven</a></nav>`,
  };
}

const PROBLEMS: Readonly<Partial<Record<string, string>>> = {
  invalid_phone: 'That is no phone number with a country code, such as +14155550123.',
  invalid_code: 'That code is wrong, or its ten minutes are over.',
  invalid_request: 'A code has six digits.',
  too_many_tries: 'Too many wrong codes. Ask for another one.',
  credential_in_use: 'That phone already stands behind another agent.',
};

async function take(visit: PageVisit, app: string): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const { agent = '', phone = '', code = '', step } = visit.form;
  if (step === 'account') return beginAccountProof(visit, agent, app);
  const of_code = step === 'code';
  const digits = code.replaceAll(' ', '');
  const ended = of_code
    ? await visit.ask('phone.verify', { phone, code: digits }, agent)
    : await visit.ask('phone.send', { phone }, agent);
  if (!('refusal' in ended)) return of_code ? provenPage(agent, app) : codePage(visit, agent, { phone });
  const problem = PROBLEMS[ended.refusal.fault];
  if (problem === undefined) return refusalPage(ended.refusal, visit.request_id);
  const trying = { phone, problem, status: 400 };
  return of_code ? codePage(visit, agent, trying) : listPage(visit, agent, app, trying);
}

/** Whose proof it is: the agent that was named, or the only one. */
async function agentOf(visit: PageVisit): Promise<string | null> {
  const own = answered<readonly { readonly handle: string }[]>(await visit.ask('agent.list', {}));
  if ('refusal' in own) return null;
  const asked = visit.url.searchParams.get('agent');
  const found = asked === null ? own[0] : own.find(({ handle }) => handle === asked);
  return found?.handle ?? null;
}

/** The page. */
export function proofsPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/proofs`,
    get: async (visit) => {
      if (!visit.session) return visit.sign_in;
      const agent = await agentOf(visit);
      return agent === null ? { to: `${app}/onboarding` } : listPage(visit, agent, app, {});
    },
    post: (visit) => take(visit, app),
  };
}
