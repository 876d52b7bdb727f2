// The consent page: a program asks, and a person who is signed in lets it in or does not. It always asks, whatever was granted before; a
// program is named by the host that vouches for it, and one that nobody vouches for is said to be unknown. Where the program or
// the place of the answer cannot be known, the page says so and leads nowhere. Anybody can be a program, so a link alone never sends
// a browser on to one (RFC 9700, 4.11.2): a request that cannot be put to a person goes back only by a button.
import { scopeWords } from '../../domain/identity/scope-words.ts';
import { answered, type Going, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';

const ADDRESS = '/oauth/authorize';
/** As the operations take it; a browser brings no address that is much longer. */
const QUERY_MAX = 8192;

/** A program that asks, as oauth.authorize answers it. */
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

/** A request that is wrong in itself. */
interface Refused {
  readonly is: 'refused';
  readonly why: string;
  readonly answer: Open['answer'];
  readonly redirect_to: string;
}

type Unknown = { readonly is: 'unknown'; readonly why: string };
/** What oauth.authorize answers, which decides nothing. */
type Asked = Open | Unknown | Refused;
/** What oauth.decide answers: the person has pressed a button. */
type Decided = Unknown | { readonly is: 'refused' | 'granted'; readonly redirect_to: string };

const TOO_LONG = 'The link is too long to be one of a program.';

function unknownPage(why: string): Page {
  const lead = html`<p role="alert">${why}</p><p>Nothing was granted. Go back to the program and start again there.</p>`;
  return {
    status: 400,
    title: 'This program cannot be connected',
    body: html`<h1>This program cannot be connected</h1>${lead}`,
  };
}

/** The place that an answer goes to, as a person knows it. */
const placeWords = ({ host, source }: Open['answer']): string => host ?? `an app on this device (${source})`;

/** A request that cannot be granted; any button of the form takes the refusal to the program. */
function refusedPage({ why, answer }: Refused, { token_field }: PageVisit): Page {
  const title = 'This program asks wrongly';
  const lead = html`<p role="alert">${why}</p><p>Nothing was granted. Close this page, or tell the program: that leads you to ${placeWords(answer)}.</p>`;
  const button = html`<button name="decision" value="deny">Go back to the program</button>`;
  return {
    title,
    leads_to: answer.source,
    headers: { 'X-Frame-Options': 'DENY' },
    body: html`<h1>${title}</h1>${lead}<form method="post">${token_field}${button}</form>`,
  };
}

/** Who asks, and how far that is known. */
function whoAsks({ program, answer }: Open): Html {
  const { name, host } = program;
  const goes = placeWords(answer);
  const known = host ?? 'nobody vouches for it';
  return html`<dl><dt>Calls itself</dt><dd>${name}</dd><dt>Host</dt><dd>${known}</dd><dt>Answer to</dt><dd>${goes}</dd></dl>`;
}

const LOCAL = html`<p class="note" role="note">The answer goes to a program on this device. Go on only if you have just started it yourself.</p>`;
const UNKNOWN = html`<p class="note" role="note">Anybody could have given this program its name. Go on only if you have just started it yourself.</p>`;

function warning({ program, answer }: Open): Html {
  if (program.host === null) return UNKNOWN;
  return answer.local ? LOCAL : html``;
}

const option = (value: string | number, text: string): Html => html`<option value="${value}">${text}</option>`;

function agentField(agents: readonly string[]): Html {
  if (agents.length === 0) return html`<p>You have no agent yet. It acts as those that you create.</p>`;
  const each = [...agents.map((handle) => option(handle, `@${handle}`)), option('', 'any of my agents')];
  return html`<label for="agent">It acts as</label><select id="agent" name="agent">${each}</select>`;
}

function daysField(days: readonly number[]): Html {
  const each = days.map((n) => option(n, n === 1 ? 'one day' : `${n} days`));
  return html`<label for="days">For</label><select id="days" name="days">${each}</select>`;
}

function openPage(asked: Open, { token_field }: PageVisit): Page {
  const { program, scopes, email, agents, days, resource, answer } = asked;
  // A name that nobody vouches for is no headline.
  const title = `Let ${program.host ?? 'this program'} in?`;
  const may = html`<h2>It may</h2><ul>${scopeWords(scopes).map((words) => html`<li>${words}</li>`)}</ul>`;
  const buttons = html`<button class="main" name="decision" value="allow">Let it in</button><button name="decision" value="deny">Do not</button>`;
  const small = html`<p class="small">You are signed in as ${email}. It works at ${resource} alone; it cannot withdraw money, change your account, or give itself more. You can throw it out at any time among your connected programs.</p>`;
  return {
    title,
    leads_to: answer.source,
    headers: { 'X-Frame-Options': 'DENY' },
    body: html`<h1>${title}</h1><p>A program asks to act for you.</p>${whoAsks(asked)}${warning(asked)}${may}<form method="post">${token_field}${agentField(agents)}${daysField(days)}${buttons}</form>${small}`,
  };
}

async function show(visit: PageVisit): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const query = visit.url.search.slice(1);
  if (query.length > QUERY_MAX) return unknownPage(TOO_LONG);
  const asked = answered<Asked>(await visit.ask('oauth.authorize', { query }));
  if ('refusal' in asked) return refusalPage(asked.refusal, visit.request_id);
  if (asked.is === 'unknown') return unknownPage(asked.why);
  return asked.is === 'open' ? openPage(asked, visit) : refusedPage(asked, visit);
}

async function decide(visit: PageVisit): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const { decision, agent = '', days } = visit.form;
  // Whatever else a form holds is no decision, and is asked again.
  if (decision !== 'allow' && decision !== 'deny') return show(visit);
  const query = visit.url.search.slice(1);
  const named = agent === '' ? {} : { agent_handle: agent };
  const lasting = days === undefined ? {} : { days: Number(days) };
  const ended = await visit.ask('oauth.decide', { query, allow: decision === 'allow', ...named, ...lasting });
  const decided = answered<Decided>(ended);
  if ('refusal' in decided) return refusalPage(decided.refusal, visit.request_id);
  return decided.is === 'unknown' ? unknownPage(decided.why) : { to: decided.redirect_to };
}

/** The page of the authorization endpoint. */
export const CONSENT_PAGE: PageRoute = { path: ADDRESS, get: show, post: decide };
