// The page of the demo world, while there is one: what its agents do just now, five things to try, and the letters to its persons. Only an
// administrator and the demo persons themselves see it. A script renews the figures and the form tokens, which change with each sign-in;
// without one the page shows them as of its loading.
import type { DemoWorld, PairState } from '../../domain/demo.ts';
import type { Language } from '../../domain/language.ts';
import { wordsIn } from '../../domain/language.ts';
import type { PlainRoute } from '../app.ts';
import { fixedReply } from '../wire.ts';
import { type DemoWords, de, en } from './demo-words.ts';
import {
  answered,
  appPath,
  type Data,
  type Going,
  nextOf,
  type PagePorts,
  type PageRoute,
  type PageVisit,
} from './door.ts';
import { filled, type Html, html, type Page, refusalPage } from './page.ts';
import { day, figure, money } from './words.ts';

const PATH = '/demo';
const LIVE = `${PATH}/live`;
const SCRIPT = `${PATH}/live.js`;

/** Renews what changes; a hidden page asks for nothing. */
const LIVE_SCRIPT = `'use strict';
const EVERY_MS = 3000;
async function renew() {
  if (document.hidden) return;
  const answer = await fetch('${LIVE}', { headers: { Accept: 'application/json' } });
  if (!answer.ok) return;
  const { texts, token } = await answer.json();
  for (const [id, text] of Object.entries(texts)) {
    const place = document.getElementById(id);
    if (place && place.textContent !== text) place.textContent = text;
  }
  for (const field of document.querySelectorAll('input[name=form_token]')) field.value = token;
}
const soon = () => renew().catch(() => {});
setInterval(soon, EVERY_MS);
for (const event of ['pageshow', 'focus']) window.addEventListener(event, soon);
document.addEventListener('visibilitychange', soon);
`;

/** Response of demo.look. */
interface Looked {
  readonly world: {
    readonly state: Exclude<DemoWorld['state'], 'removing'>;
    readonly agents: number;
    readonly agents_planned: number;
    readonly matches: number;
    readonly deals: number;
    readonly completed: number;
    readonly held_cents: number;
    readonly released_cents: number;
    readonly pairs: readonly Pair[];
  };
  readonly you: string | null;
  readonly letters: readonly Letter[];
}

interface Pair {
  readonly title: string;
  readonly seller_handle: string;
  readonly buyer_handle: string;
  readonly state: PairState;
  readonly amount_cents: number;
}

interface Letter {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: string;
}

const wordsFor = ({ tongue }: Pick<PageVisit, 'tongue'>): DemoWords => wordsIn({ en, de }, tongue.lang as Language);

function pairText({ state, amount_cents }: Pair, visit: PageVisit): string {
  const said = wordsFor(visit).states[state];
  return amount_cents > 0 ? `${money(visit.tongue, amount_cents)}, ${said}` : said;
}

/** The texts that change, by the ids of their elements. */
function liveTexts({ world }: Looked, visit: PageVisit): Readonly<Record<string, string>> {
  const { tongue } = visit;
  const { agents, agents_planned, matches, deals, completed, held_cents, released_cents, state, pairs } = world;
  const number = (n: number): string => figure(tongue, n);
  return {
    state: wordsFor(visit).world[state],
    agents: agents === agents_planned ? number(agents) : `${number(agents)} / ${number(agents_planned)}`,
    ...{ matches: number(matches), deals: number(deals), completed: number(completed) },
    ...{ held: money(tongue, held_cents), released: money(tongue, released_cents) },
    ...Object.fromEntries(pairs.map((pair, at) => [`pair-${at}`, pairText(pair, visit)])),
  };
}

/** Signs in as a person of the demo, and goes on to a page of the app in a new tab: this page stays open. */
function entry({ token_field }: PageVisit, handle: string, next: string, button: string): Html {
  return html`<form method="post" action="${PATH}" target="_blank">${token_field}<input type="hidden" name="handle" value="${handle}"><input type="hidden" name="next" value="${next}"><button>${button}</button></form>`;
}

function figures(texts: Readonly<Record<string, string>>, words: DemoWords): Html {
  const rows = (['agents', 'matches', 'deals', 'completed', 'held', 'released'] as const).map(
    (name) => html`<dt>${words[name]}</dt><dd id="${name}">${texts[name] ?? ''}</dd>`,
  );
  return html`<dl>${rows}</dl>`;
}

/** The handle of a side in the first pair of a state that is wanted most, else in the first pair. */
function whoIn(pairs: readonly Pair[], side: 'seller_handle' | 'buyer_handle', wanted: readonly PairState[]): string {
  const found = wanted.flatMap((state) => pairs.filter((pair) => pair.state === state));
  return (found[0] ?? pairs[0])?.[side] ?? '';
}

function tour({ world: { pairs } }: Looked, visit: PageVisit, app: string): Html {
  const { steps } = wordsFor(visit);
  const talker = whoIn(pairs, 'buyer_handle', ['matched', 'funded', 'delivered', 'released']);
  const earner = whoIn(pairs, 'seller_handle', ['released', 'delivered']);
  const [first] = pairs;
  const step = ({ say }: { readonly say: string }, go: Html): Html => html`<li><p>${say}</p>${go}</li>`;
  return html`<ol class="tour">${[
    step(steps.talk, entry(visit, talker, `${app}/conversations`, steps.talk.go)),
    step(steps.release, entry(visit, first?.buyer_handle ?? '', `${app}/deals`, steps.release.go)),
    step(steps.earned, entry(visit, earner, `${app}/wallet`, steps.earned.go)),
    step(steps.publish, entry(visit, first?.seller_handle ?? '', `${app}/listings`, steps.publish.go)),
    step(steps.letters, html`<a class="button" href="#letters">${steps.letters.go}</a>`),
  ]}</ol>`;
}

function people({ world: { pairs } }: Looked, visit: PageVisit, app: string): Html {
  const rows = pairs.map((pair, at) => {
    const as = (handle: string): Html => entry(visit, handle, app === '' ? '/' : app, `@${handle}`);
    return html`<li><p><strong>${pair.title}</strong> <span id="pair-${at}">${pairText(pair, visit)}</span></p>${as(pair.seller_handle)}${as(pair.buyer_handle)}</li>`;
  });
  return html`<ul class="people">${rows}</ul>`;
}

/** A letter's text, with links to pages of this service alone. */
function letterText(text: string, own: readonly string[]): Html {
  const parts = text.split(/(\bhttps?:\/\/[^\s<>"]+)/).map((part) => {
    const isOwn = own.some((base) => part === base || part.startsWith(`${base}/`) || part.startsWith(`${base}#`));
    return isOwn ? html`<a href="${part}" target="_blank">${part}</a>` : html`${part}`;
  });
  return html`<pre>${parts}</pre>`;
}

function inbox({ letters }: Looked, visit: PageVisit, { base_url, app_url }: PagePorts['settings']): Html {
  const words = wordsFor(visit);
  const rows = letters.map(
    ({ to, subject, text, at }) =>
      html`<details><summary>${subject} <span class="small">${words.to(to)}, ${day(visit.tongue, at, true)}</span></summary>${letterText(text, [base_url, app_url])}</details>`,
  );
  const none = html`<p>${words.letters_none}</p>`;
  return html`<h2 id="letters">${words.letters}</h2><p>${words.letters_lead}</p>${rows.length === 0 ? none : rows}<nav aria-label="${words.letters}"><a class="button" href="${PATH}?at=${Date.now()}#letters">${words.letters_new}</a></nav>`;
}

function whoLooks({ you }: Looked, visit: PageVisit, app: string): Html {
  const words = wordsFor(visit);
  if (you === null) return html`<p class="small">${words.admin} <a href="${app}/admin">${words.remove}</a></p>`;
  const said = filled(words.you, html`<strong>@${you}</strong>`);
  return html`<p class="small">${said} <a href="${app}/login?next=${PATH}">${words.yourself}</a></p>`;
}

function demoPage(looked: Looked, visit: PageVisit, settings: PagePorts['settings']): Page {
  const [words, app, texts] = [wordsFor(visit), appPath(settings), liveTexts(looked, visit)];
  return {
    title: words.title,
    script: SCRIPT,
    wide: true,
    body: html`<h1>${words.title}</h1><p>${words.lead}</p><p id="state" role="status">${texts['state'] ?? ''}</p>${figures(texts, words)}${whoLooks(looked, visit, app)}<h2>${words.tour}</h2>${tour(looked, visit, app)}<h2>${words.people}</h2>${people(looked, visit, app)}${inbox(looked, visit, settings)}`,
  };
}

async function look(visit: PageVisit, letters: boolean): Promise<Looked | Page | Going> {
  if (!visit.session) return visit.sign_in;
  const looked = answered<Looked>(await visit.ask('demo.look', { letters }));
  return 'refusal' in looked ? refusalPage(looked.refusal, visit) : looked;
}

async function enter(visit: PageVisit, home: string): Promise<Page | Going> {
  if (!visit.session) return visit.sign_in;
  const ended = await visit.ask('demo.sign_in', { handle: visit.form['handle'] ?? '' });
  if ('refusal' in ended) return refusalPage(ended.refusal, visit);
  if (!('reply' in ended)) throw new Error('signing in stays open');
  return { to: nextOf(visit.form['next'], home), grant: ended.notes.refresh };
}

export function demoPages({ settings }: Pick<PagePorts, 'settings'>): readonly PageRoute[] {
  const app = appPath(settings);
  const home = app === '' ? '/' : app;
  return [
    {
      path: PATH,
      get: async (visit) => {
        const looked = await look(visit, true);
        return 'world' in looked ? demoPage(looked, visit, settings) : looked;
      },
      post: (visit) => enter(visit, home),
    },
    {
      path: LIVE,
      get: async (visit): Promise<Page | Going | Data> => {
        const looked = await look(visit, false);
        return 'world' in looked ? { data: { texts: liveTexts(looked, visit), token: visit.token } } : looked;
      },
    },
  ];
}

export function demoScript(): PlainRoute {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
  };
  const load = async (): Promise<Uint8Array> => new TextEncoder().encode(LIVE_SCRIPT);
  return { method: 'GET', path: SCRIPT, handle: fixedReply(load, headers) };
}
