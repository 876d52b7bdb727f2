// The page where a person types the code that a program shows, reads what it asks for, and decides. The code is typed, never part of
// an address, so that nobody is led to a decision by a link; and nothing is decided without a button.
import { scopeWords } from '../../domain/identity/scope-words.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';

/** As device.look answers it. */
interface Asking {
  readonly client_name: string;
  readonly scopes: readonly string[];
}

const title = 'Let a program in';

function codePage({ token_field }: PageVisit, typed = '', wrong?: { readonly status: number }): Page {
  const problem = wrong
    ? html`<p class="error" id="problem" role="alert">No program waits with that code. It is wrong, was used, or its fifteen minutes are over.</p>`
    : html``;
  const marked = wrong ? html` aria-invalid="true" aria-describedby="problem"` : html``;
  return {
    title,
    ...wrong,
    body: html`<h1>${title}</h1><p>Type the code that your program shows.</p>${problem}<form method="post">${token_field}<label for="user_code">Code</label><input id="user_code" name="user_code" class="code" value="${typed}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="32" required autofocus${marked}><button class="main" name="step" value="look">Continue</button></form><p class="small">Type only a code that you asked for yourself. Whoever sent you one wants to act in your name.</p>`,
  };
}

/** Which agent the key is for: it matters only to who has several. */
function agentField(handles: readonly string[]): Html {
  if (handles.length < 2) return html``;
  const options = handles.map((handle) => html`<option value="${handle}">@${handle}</option>`);
  return html`<label for="agent_handle">It may act as</label><select id="agent_handle" name="agent_handle"><option value="">any of your agents</option>${options}</select>`;
}

function consentPage({ token_field }: PageVisit, user_code: string, asking: Asking, handles: readonly string[]): Page {
  const name = asking.client_name === '' ? 'A program that gives no name' : asking.client_name;
  const rights = scopeWords(asking.scopes).map((words) => html`<li>${words}</li>`);
  const as = handles.length === 1 ? html`<dl><dt>It may act as</dt><dd>@${handles[0] ?? ''}</dd></dl>` : html``;
  return {
    title: 'Let this program in?',
    body: html`<h1>Let this program in?</h1><p>It calls itself <strong>${name}</strong>; nobody has checked that. It waits with the code <strong>${user_code}</strong>.</p>${as}<h2>It may</h2><ul>${rights}</ul><p class="small">It cannot send, fund or withdraw money, and cannot delete your account. You can take its key back at any time; it ends after 90 days.</p><form method="post">${token_field}<input type="hidden" name="user_code" value="${user_code}">${agentField(handles)}<button class="main" name="step" value="approve">Let it in</button><button name="step" value="deny">Refuse</button></form>`,
  };
}

function donePage(approved: boolean): Page {
  const [head, next] = approved
    ? ['It is in', 'Go back to the program; it goes on by itself within seconds.']
    : ['Refused', 'The program was told. You can close this page.'];
  return { title: head, body: html`<h1 role="status">${head}</h1><p>${next}</p>` };
}

async function look(visit: PageVisit): Promise<Page> {
  const user_code = visit.form['user_code'] ?? '';
  const asking = answered<Asking>(await visit.ask('device.look', { user_code }));
  if ('refusal' in asking) {
    const { fault } = asking.refusal;
    const wrong = fault === 'not_found' || fault === 'invalid_request';
    return wrong ? codePage(visit, user_code, { status: 404 }) : refusalPage(asking.refusal, visit.request_id);
  }
  const own = answered<readonly { readonly handle: string }[]>(await visit.ask('agent.list', {}));
  if ('refusal' in own) return refusalPage(own.refusal, visit.request_id);
  const typed = user_code.toUpperCase().trim();
  return consentPage(
    visit,
    typed,
    asking,
    own.map(({ handle }) => handle),
  );
}

async function decide(visit: PageVisit, approve: boolean): Promise<Page> {
  const { user_code = '', agent_handle = '' } = visit.form;
  const input = { user_code, approve, ...(agent_handle !== '' && { agent_handle }) };
  const ended = answered<{ readonly approved: boolean }>(await visit.ask('device.approve', input));
  if (!('refusal' in ended)) return donePage(ended.approved);
  if (ended.refusal.fault === 'not_found') return codePage(visit, user_code, { status: 404 });
  return refusalPage(ended.refusal, visit.request_id);
}

async function take(visit: PageVisit): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const { step } = visit.form;
  return step === 'approve' || step === 'deny' ? decide(visit, step === 'approve') : look(visit);
}

/** The page. */
export function devicePage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  return {
    path: `${appPath(settings)}/device`,
    get: async (visit) => (visit.session ? codePage(visit) : visit.sign_in),
    post: take,
  };
}
