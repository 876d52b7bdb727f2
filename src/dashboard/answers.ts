// Answers to matches. Each is sent five seconds after the press and can be undone until then; leaving the page sends it at once.
// All attempts of an answer share one Idempotency-Key, so it counts once.
import { signal } from '@preact/signals';
import type { MeshworkError } from '../client/error.ts';
import type { MatchAction } from '../domain/match/state.ts';
import { DAY_MS } from '../domain/time.ts';
import { changed } from './live.ts';
import { errorOf } from './resource.ts';
import { ask, newKey, sendLeaving } from './server.ts';
import { account, agent, beforeSignOut, freshToken } from './session.ts';
import { touchedByAct } from './touched.ts';

const WAIT_MS = 5_000;
/** How long a sent answer stays displayed. */
const TOLD_MS = 8_000;

/** A person's answer to a match. */
interface Said {
  readonly match_id: string;
  readonly action: MatchAction;
  readonly reason?: string;
  readonly note?: string;
}

export interface Answer {
  readonly key: string;
  readonly said: Said;
  /** The answering agent. */
  readonly agent: string | undefined;
  /** When it was given, in epoch milliseconds. */
  readonly at_ms: number;
  /** The match's title. */
  readonly headline: string;
  /** The page that leads on to the conversation once the answer has opened it; null to stay. */
  readonly leads_from: string | null;
  readonly state: 'waits' | 'sending' | 'sent' | 'failed';
  /** The conversation that the answer opened. */
  readonly conversation_id: string | null;
  readonly error: MeshworkError | null;
}

/** The displayed answers, oldest first. */
export const answers = signal<readonly Answer[]>([]);

function change(key: string, to: Partial<Answer>): void {
  answers.value = answers.value.map((each) => (each.key === key ? { ...each, ...to } : each));
}

export function forget(key: string): void {
  answers.value = answers.value.filter((each) => each.key !== key);
}

async function sendAnswer({ key, said, agent }: Answer, leaving: boolean): Promise<void> {
  const as = { agent, key };
  const left = leaving ? sendLeaving('match.feedback', said, as) : undefined;
  change(key, { state: 'sending' });
  try {
    await left;
    const { value } = await ask('match.feedback', said, as);
    change(key, { state: 'sent', conversation_id: value.conversation_id });
    forgetLeft(key);
    changed(touchedByAct('match.feedback'));
    setTimeout(() => forget(key), TOLD_MS);
  } catch (error) {
    const failed = errorOf(error);
    change(key, { state: 'failed', error: failed });
    // Without a response it is kept, and the next page resends it.
    if (failed.status !== 0) forgetLeft(key);
  }
}

/** Sends pending answers; with `leaving`, by requests that outlive the page. */
export async function sendNow(leaving = false): Promise<void> {
  await Promise.all(answers.value.filter(({ state }) => state === 'waits').map((each) => sendAnswer(each, leaving)));
}

/** Schedules an answer to a match. With `leads_from` that page then leads on to the conversation. */
export function answerLater(said: Said, headline: string, leads_from: string | null = null): void {
  const key = newKey();
  const before = answers.value.filter((each) => each.said.match_id !== said.match_id || each.state !== 'failed');
  const given = { key, said, headline, leads_from, agent: agent.value, at_ms: Date.now() };
  answers.value = [...before, { ...given, state: 'waits', conversation_id: null, error: null }];
  // Fetches a token now: a page that is being left cannot.
  void freshToken().catch(() => {});
  setTimeout(() => {
    const now = answers.value.find((each) => each.key === key);
    if (now?.state === 'waits') void sendAnswer(now, false);
  }, WAIT_MS);
}

/** The answer that opens a match's conversation and has not yet; by default the newest. */
export function opening(match_id?: string): Answer | undefined {
  return answers.value.findLast(
    ({ said, state }) =>
      said.action === 'interested' &&
      (state === 'waits' || state === 'sending') &&
      (match_id === undefined || said.match_id === match_id),
  );
}

/** Sends that answer at once; the page then leads on to the conversation. */
export function openNow(leads_from: string, match_id?: string): void {
  const found = opening(match_id);
  if (!found) return;
  change(found.key, { leads_from });
  if (found.state === 'waits') void sendAnswer(found, false);
}

/** Cancels an unsent answer; by default the newest. */
export function takeBack(key = answers.value.findLast(({ state }) => state === 'waits')?.key): void {
  if (answers.value.some((each) => each.key === key && each.state === 'waits')) forget(String(key));
}

/** The answer given here to a match, sent or pending. */
export function saidOf(match_id: string): MatchAction | null {
  const found = answers.value.findLast(({ said, state }) => said.match_id === match_id && state !== 'failed');
  return found?.said.action ?? null;
}

// A browser may drop requests of a page that is left, and the session may end while the device sleeps: the person's next page resends
// the remaining answers under the same key and displays them.

type Left = Pick<Answer, 'key' | 'said' | 'headline' | 'agent' | 'at_ms'>;

/** How long the service recognises a repeated Idempotency-Key (rules.md 2). Older answers are dropped: a match that one did not reach
 * is displayed as undecided. */
const KEPT_MS = DAY_MS;

const place = (): string => `meshwork-left-answers ${account.value?.id}`;

/** Stored answers of this person that had no response. */
function readLeft(): Left[] {
  const all: Left[] = JSON.parse(localStorage.getItem(place()) ?? '[]');
  return all.filter(({ at_ms }) => Date.now() - at_ms < KEPT_MS);
}

/** Stores these, replacing those with the same keys. */
function writeLeft(without: ReadonlySet<string>, more: readonly Left[] = []): void {
  const all = [...readLeft().filter(({ key }) => !without.has(key)), ...more];
  if (all.length === 0) localStorage.removeItem(place());
  else localStorage.setItem(place(), JSON.stringify(all));
}

function forgetLeft(key: string): void {
  writeLeft(new Set([key]));
}

function leave(): void {
  const open = answers.value.filter(({ state }) => state === 'waits' || state === 'sending');
  if (open.length === 0) return;
  const left = open.map(({ key, said, headline, agent, at_ms }) => ({ key, said, headline, agent, at_ms }));
  writeLeft(new Set(left.map(({ key }) => key)), left);
  void sendNow(true);
}

/** Resends answers stored by this person's earlier pages. */
export async function sendLeft(): Promise<void> {
  const known = new Set(answers.value.map(({ key }) => key));
  writeLeft(new Set());
  const left = readLeft().filter(({ key }) => !known.has(key));
  const told = left.map(
    (each): Answer => ({ ...each, leads_from: null, state: 'sending', conversation_id: null, error: null }),
  );
  answers.value = [...answers.value, ...told];
  await Promise.all(told.map((each) => sendAnswer(each, false)));
}

addEventListener('pagehide', leave);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') leave();
});
beforeSignOut.push(() => sendNow());
