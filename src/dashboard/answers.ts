// Answers to matches, which are sent five seconds after their press and can be taken back until then. Leaving the page, by whatever way,
// sends them at once. Each has one Idempotency-Key, so that however often it is sent, it is one answer.
import { signal } from '@preact/signals';
import type { MeshworkError } from '../client/error.ts';
import type { MatchAction } from '../domain/match/state.ts';
import { changed } from './live.ts';
import { errorOf } from './resource.ts';
import { ask, newKey, sendLeaving } from './server.ts';
import { account, agent, beforeSignOut, freshToken } from './session.ts';
import { touchedByAct } from './touched.ts';

const WAIT_MS = 5_000;
/** So long it is told that an answer was sent. */
const TOLD_MS = 8_000;

/** What a person said of a match. */
interface Said {
  readonly match_id: string;
  readonly action: MatchAction;
  readonly reason?: string;
  readonly note?: string;
}

export interface Answer {
  readonly key: string;
  readonly said: Said;
  /** What it is about. */
  readonly headline: string;
  readonly state: 'waits' | 'sending' | 'sent' | 'failed';
  /** The thread that the answer opened. */
  readonly conversation_id: string | null;
  readonly error: MeshworkError | null;
}

/** Those that are not forgotten yet, oldest first. */
export const answers = signal<readonly Answer[]>([]);

/** Which of the person's agents said it. */
const actors = new Map<string, string | undefined>();

function change(key: string, to: Partial<Answer>): void {
  answers.value = answers.value.map((each) => (each.key === key ? { ...each, ...to } : each));
}

export function forget(key: string): void {
  answers.value = answers.value.filter((each) => each.key !== key);
  actors.delete(key);
}

async function sendAnswer({ key, said }: Answer, leaving: boolean): Promise<void> {
  const as = { agent: actors.get(key), key };
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
    // Without an answer of the service it stays for the page after this one.
    if (failed.status !== 0) forgetLeft(key);
  }
}

/** Sends what waits; with `leaving` so that the browser sends it on when the page is gone. */
export async function sendNow(leaving = false): Promise<void> {
  await Promise.all(answers.value.filter(({ state }) => state === 'waits').map((each) => sendAnswer(each, leaving)));
}

/** Answers a match after a while. */
export function answerLater(said: Said, headline: string): void {
  const key = newKey();
  actors.set(key, agent.value);
  const before = answers.value.filter((each) => each.said.match_id !== said.match_id || each.state !== 'failed');
  answers.value = [...before, { key, said, headline, state: 'waits', conversation_id: null, error: null }];
  // The page may go at any moment, and could not ask for a token then.
  void freshToken().catch(() => {});
  setTimeout(() => {
    const now = answers.value.find((each) => each.key === key);
    if (now?.state === 'waits') void sendAnswer(now, false);
  }, WAIT_MS);
}

/** Takes an answer back that was not sent yet; the newest unless said. */
export function takeBack(key = answers.value.findLast(({ state }) => state === 'waits')?.key): void {
  if (answers.value.some((each) => each.key === key && each.state === 'waits')) forget(String(key));
}

/** What was said of a match here and stands, sent or not. */
export function saidOf(match_id: string): MatchAction | null {
  const found = answers.value.findLast(({ said, state }) => said.match_id === match_id && state !== 'failed');
  return found?.said.action ?? null;
}

/** The conversation that an answer to a match has just opened; null where none did. */
export function openedBy(match_id: string): string | null {
  return answers.value.findLast(({ said }) => said.match_id === match_id)?.conversation_id ?? null;
}

// A browser may drop what a page sends while it goes, and the session may have ended while the device slept: what was left is sent again,
// under the same key, by the next page of the person, and told there.

type Left = Pick<Answer, 'key' | 'said' | 'headline'> & { readonly agent: string | undefined };

const place = (): string => `meshwork-left-answers ${account.value?.id}`;

/** What this person's pages have left. */
const readLeft = (): Left[] => JSON.parse(localStorage.getItem(place()) ?? '[]');

/** Keeps these instead of those with the same keys. */
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
  const left = open.map(({ key, said, headline }) => ({ key, said, headline, agent: actors.get(key) }));
  writeLeft(new Set(left.map(({ key }) => key)), left);
  void sendNow(true);
}

/** Sends what earlier pages of this person left. */
export async function sendLeft(): Promise<void> {
  const known = new Set(answers.value.map(({ key }) => key));
  const left = readLeft().filter(({ key }) => !known.has(key));
  const told = left.map(({ key, said, headline, agent }): Answer => {
    actors.set(key, agent);
    return { key, said, headline, state: 'sending', conversation_id: null, error: null };
  });
  answers.value = [...answers.value, ...told];
  await Promise.all(told.map((each) => sendAnswer(each, false)));
}

addEventListener('pagehide', leave);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') leave();
});
beforeSignOut.push(() => sendNow());
