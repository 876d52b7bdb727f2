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
    changed(touchedByAct('match.feedback'));
    setTimeout(() => forget(key), TOLD_MS);
  } catch (error) {
    change(key, { state: 'failed', error: errorOf(error) });
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

// A browser may drop what a page sends while it goes: what was left is sent again, under the same key, by the next page of the person.

const LEFT = 'meshwork-left-answers';

interface Left {
  readonly account_id: string | undefined;
  readonly answers: readonly { readonly key: string; readonly said: Said; readonly agent: string | undefined }[];
}

function leave(): void {
  const open = answers.value.filter(({ state }) => state === 'waits' || state === 'sending');
  if (open.length === 0) return;
  const left = open.map(({ key, said }) => ({ key, said, agent: actors.get(key) }));
  localStorage.setItem(LEFT, JSON.stringify({ account_id: account.value?.id, answers: left } satisfies Left));
  void sendNow(true);
}

/** Sends what the last page of this person left. */
export async function sendLeft(): Promise<void> {
  const text = localStorage.getItem(LEFT);
  if (text === null) return;
  const left = JSON.parse(text) as Left;
  if (left.account_id !== account.value?.id) return;
  const sent = left.answers.map(({ key, said, agent }) => ask('match.feedback', said, { agent, key }));
  const ended = await Promise.allSettled(sent);
  // Without an answer of the service they stay for the page after this one.
  if (ended.some((each) => each.status === 'rejected' && errorOf(each.reason).status === 0)) return;
  localStorage.removeItem(LEFT);
  changed(touchedByAct('match.feedback'));
}

addEventListener('pagehide', leave);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void sendNow(true);
});
beforeSignOut.push(() => sendNow());
