// The page where a person types a program's user code, reads its request, and decides (device flow). The code is never taken from the
// URL, so that a link cannot lead to a decision; only a button decides.
import { isScope } from '../../domain/identity/scope.ts';
import { answered, appPath, type Going, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { filled, type Html, html, type Page, refusalPage } from './page.ts';
import type { PageWords, Tongue } from './words.ts';

/** Response of device.look. */
interface Asking {
  readonly client_name: string;
  readonly scopes: readonly string[];
}

type Words = PageWords['programs']['device'];

/** What the scopes allow, one line each; unknown scopes are left out. */
export function rightsList(asked: readonly string[], { programs }: PageWords): Html {
  const rights = asked.filter(isScope).map((scope) => html`<li>${programs.scopes[scope]}</li>`);
  return html`<h2>${programs.may}</h2><ul>${rights}</ul>`;
}

function codePage({ token_field, tongue }: PageVisit, typed = '', wrong?: { readonly status: number }): Page {
  const words = tongue.words.programs.device;
  const { title } = words;
  const problem = wrong ? html`<p class="error" id="problem" role="alert">${words.wrong}</p>` : html``;
  const marked = wrong ? html` aria-invalid="true" aria-describedby="problem"` : html``;
  return {
    title,
    ...wrong,
    body: html`<h1>${title}</h1><p>${words.lead}</p>${problem}<form method="post">${token_field}<label for="user_code">${words.code}</label><input id="user_code" name="user_code" class="code" value="${typed}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="32" required autofocus${marked}><button class="main" name="step" value="look">${words.on}</button></form><p class="small">${words.own}</p>`,
  };
}

/** The choice of the key's agent, for people with several. */
function agentField(handles: readonly string[], { acts_as, any }: Words): Html {
  if (handles.length < 2) return html``;
  const options = handles.map((handle) => html`<option value="${handle}">@${handle}</option>`);
  return html`<label for="agent_handle">${acts_as}</label><select id="agent_handle" name="agent_handle"><option value="">${any}</option>${options}</select>`;
}

function consentPage(
  { token_field, tongue }: PageVisit,
  user_code: string,
  asking: Asking,
  handles: readonly string[],
): Page {
  const { programs } = tongue.words;
  const words = programs.device;
  const name = asking.client_name === '' ? words.nameless : asking.client_name;
  const who = filled(words.who, html`<strong>${name}</strong>`, html`<strong>${user_code}</strong>`);
  const as = handles.length === 1 ? html`<dl><dt>${words.acts_as}</dt><dd>@${handles[0] ?? ''}</dd></dl>` : html``;
  return {
    title: words.asking,
    body: html`<h1>${words.asking}</h1><p>${who}</p>${as}${rightsList(asking.scopes, tongue.words)}<p class="small">${words.bounds}</p><form method="post">${token_field}<input type="hidden" name="user_code" value="${user_code}">${agentField(handles, words)}<button class="main" name="step" value="approve">${programs.let_in}</button><button name="step" value="deny">${words.refuse}</button></form>`,
  };
}

function donePage(approved: boolean, { words: { programs } }: Tongue): Page {
  const { is_in, go_back, refused, told } = programs.device;
  const [head, next] = approved ? [is_in, go_back] : [refused, told];
  return { title: head, body: html`<h1 role="status">${head}</h1><p>${next}</p>` };
}

async function look(visit: PageVisit): Promise<Page> {
  const user_code = visit.form['user_code'] ?? '';
  const asking = answered<Asking>(await visit.ask('device.look', { user_code }));
  if ('refusal' in asking) {
    const { fault } = asking.refusal;
    const wrong = fault === 'not_found' || fault === 'invalid_request';
    return wrong ? codePage(visit, user_code, { status: 404 }) : refusalPage(asking.refusal, visit);
  }
  const own = answered<readonly { readonly handle: string }[]>(await visit.ask('agent.list', {}));
  if ('refusal' in own) return refusalPage(own.refusal, visit);
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
  if (!('refusal' in ended)) return donePage(ended.approved, visit.tongue);
  if (ended.refusal.fault === 'not_found') return codePage(visit, user_code, { status: 404 });
  return refusalPage(ended.refusal, visit);
}

async function take(visit: PageVisit): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const { step } = visit.form;
  return step === 'approve' || step === 'deny' ? decide(visit, step === 'approve') : look(visit);
}

export function devicePage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  return {
    path: `${appPath(settings)}/device`,
    get: async (visit) => (visit.session ? codePage(visit) : visit.sign_in),
    post: take,
  };
}
