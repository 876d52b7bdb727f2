// The consent page, where a signed-in person grants or denies a program's request. It always asks, even after an earlier grant. A
// program is named by its verified host; without one it is called unknown. When the client or redirect URI is invalid, the page
// says so and redirects nowhere. Clients are open to register, so a link alone never redirects a browser to one (RFC 9700,
// 4.11.2): an invalid request returns to its client only by a button.
import { rightsList } from './device.ts';
import { answered, type Going, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html, type Page, refusalPage } from './page.ts';
import type { PageWords } from './words.ts';

const ADDRESS = '/oauth/authorize';
/** The operations' limit; browsers send hardly longer URLs. */
const QUERY_MAX = 8192;

/** A valid request (response of oauth.authorize). */
interface Open {
  readonly is: 'open';
  readonly program: { readonly name: string; readonly host: string | null; readonly client_id: string };
  readonly answer: { readonly host: string | null; readonly local: boolean; readonly source: string };
  readonly scopes: readonly string[];
  readonly resource: string;
  readonly email: string;
  readonly agents: readonly string[];
  readonly days: readonly number[];
}

/** An invalid request. */
interface Refused {
  readonly is: 'refused';
  readonly why: string;
  readonly answer: Open['answer'];
  readonly redirect_to: string;
}

type Unknown = { readonly is: 'unknown'; readonly why: string };
/** The response of oauth.authorize, which decides nothing. */
type Asked = Open | Unknown | Refused;
/** The response of oauth.decide, after the person pressed a button. */
type Decided = Unknown | { readonly is: 'refused' | 'granted'; readonly redirect_to: string };

type Words = PageWords['programs']['consent'];

const wordsOf = ({ tongue }: PageVisit): Words => tongue.words.programs.consent;

function unknownPage(visit: PageVisit, why: string): Page {
  const { unknown, start_again } = wordsOf(visit);
  const lead = html`<p role="alert">${why}</p><p>${start_again}</p>`;
  return {
    status: 400,
    title: unknown,
    body: html`<h1>${unknown}</h1>${lead}`,
  };
}

/** The redirect target in words for people. */
const placeWords = ({ host, source }: Open['answer'], { here }: Words): string => host ?? here(source);

/** A request that cannot be granted; either button returns the error to the program. */
function refusedPage({ why, answer }: Refused, visit: PageVisit): Page {
  const words = wordsOf(visit);
  const { wrong: title, tell, go_back } = words;
  const lead = html`<p role="alert">${why}</p><p>${tell(placeWords(answer, words))}</p>`;
  const button = html`<button name="decision" value="deny">${go_back}</button>`;
  return {
    title,
    leads_to: answer.source,
    headers: { 'X-Frame-Options': 'DENY' },
    body: html`<h1>${title}</h1>${lead}<form method="post">${visit.token_field}${button}</form>`,
  };
}

/** The program, and how far its identity is verified. */
function whoAsks({ program, answer }: Open, words: Words): Html {
  const { name, host } = program;
  const goes = placeWords(answer, words);
  const known = host ?? words.nobody;
  return html`<dl><dt>${words.name}</dt><dd>${name}</dd><dt>${words.host}</dt><dd>${known}</dd><dt>${words.answer}</dt><dd>${goes}</dd></dl>`;
}

function warning({ program, answer }: Open, { anybody, local }: Words): Html {
  if (program.host !== null && !answer.local) return html``;
  return html`<p class="note" role="note">${program.host === null ? anybody : local}</p>`;
}

const option = (value: string | number, text: string): Html => html`<option value="${value}">${text}</option>`;

function agentField(agents: readonly string[], { no_agent, any, acts_as }: Words): Html {
  if (agents.length === 0) return html`<p>${no_agent}</p>`;
  const each = [...agents.map((handle) => option(handle, `@${handle}`)), option('', any)];
  return html`<label for="agent">${acts_as}</label><select id="agent" name="agent">${each}</select>`;
}

function daysField(days: readonly number[], words: Words): Html {
  const each = days.map((n) => option(n, words.days(n)));
  return html`<label for="days">${words.lasts}</label><select id="days" name="days">${each}</select>`;
}

function openPage(asked: Open, visit: PageVisit): Page {
  const words = wordsOf(visit);
  const { let_in } = visit.tongue.words.programs;
  const { program, scopes, email, agents, days, resource, answer } = asked;
  // The title never holds an unverified name.
  const title = program.host === null ? words.title_unknown : words.title(program.host);
  const buttons = html`<button class="main" name="decision" value="allow">${let_in}</button><button name="decision" value="deny">${words.deny}</button>`;
  const small = html`<p class="small">${words.bounds(email, resource)}</p>`;
  return {
    title,
    leads_to: answer.source,
    headers: { 'X-Frame-Options': 'DENY' },
    body: html`<h1>${title}</h1><p>${words.lead}</p>${whoAsks(asked, words)}${warning(asked, words)}${rightsList(scopes, visit.tongue.words)}<form method="post">${visit.token_field}${agentField(agents, words)}${daysField(days, words)}${buttons}</form>${small}`,
  };
}

async function show(visit: PageVisit): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const query = visit.url.search.slice(1);
  if (query.length > QUERY_MAX) return unknownPage(visit, wordsOf(visit).too_long);
  const asked = answered<Asked>(await visit.ask('oauth.authorize', { query }));
  if ('refusal' in asked) return refusalPage(asked.refusal, visit);
  if (asked.is === 'unknown') return unknownPage(visit, asked.why);
  return asked.is === 'open' ? openPage(asked, visit) : refusedPage(asked, visit);
}

async function decide(visit: PageVisit): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const { decision, agent = '', days } = visit.form;
  // Any other value is no decision: the page asks again.
  if (decision !== 'allow' && decision !== 'deny') return show(visit);
  const query = visit.url.search.slice(1);
  const named = agent === '' ? {} : { agent_handle: agent };
  const lasting = days === undefined ? {} : { days: Number(days) };
  const ended = await visit.ask('oauth.decide', { query, allow: decision === 'allow', ...named, ...lasting });
  const decided = answered<Decided>(ended);
  if ('refusal' in decided) return refusalPage(decided.refusal, visit);
  return decided.is === 'unknown' ? unknownPage(visit, decided.why) : { to: decided.redirect_to };
}

/** The page of the authorization endpoint. */
export const CONSENT_PAGE: PageRoute = { path: ADDRESS, get: show, post: decide };
