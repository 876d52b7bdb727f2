// A request to a node that matches, as the JSON of a row, and its answer.
import { MatchingUnavailable } from '../contract/matching-unavailable.ts';
import type { Draft } from '../contract/ports.ts';
import type { Fault } from '../domain/fault.ts';
import type { MatchAsked, Matched } from '../domain/match/asked.ts';
import type { Matcher } from './matcher.ts';

/** Above what the longest draft takes; a longer request is a bug. */
const REQUEST_BYTES_MAX = 262_144;

export type MatchingRequest =
  | { readonly ask: 'match'; readonly listing_id: string; readonly asked: MatchAsked }
  | { readonly ask: 'explain'; readonly listing_id: string; readonly now_ms: number }
  | { readonly ask: 'preview'; readonly draft: Draft; readonly limit: number; readonly now_ms: number }
  | { readonly ask: 'sellers'; readonly draft: Draft; readonly limit: number }
  | { readonly ask: 'agents'; readonly labels: readonly string[]; readonly before: string; readonly limit: number }
  /** Runs a reminder now. */
  | { readonly ask: 'reminder'; readonly id: string };

export function requestText(request: MatchingRequest): string {
  const text = JSON.stringify(request);
  if (Buffer.byteLength(text) > REQUEST_BYTES_MAX)
    throw new Error(`a request to matching (${request.ask}) is too long`);
  return text;
}

/** What answers requests: a node's own matching, and its reminders. */
export interface Answering extends Pick<Matcher, 'explain' | 'preview' | 'sellers' | 'agentsWith'> {
  match(listing_id: string, asked: MatchAsked): Promise<Matched | Fault>;
  runReminder(id: string): Promise<void>;
}

/** Answers a request of another node. Throws `MatchingUnavailable` for a kind that only a newer release knows. */
export async function answerRequest(by: Answering, text: string): Promise<string> {
  // A node of ours wrote the row, in this shape.
  const answer = await answerOf(by, JSON.parse(text) as MatchingRequest);
  return JSON.stringify(answer ?? null);
}

function answerOf(by: Answering, request: MatchingRequest): Promise<unknown> {
  switch (request.ask) {
    case 'match':
      return by.match(request.listing_id, request.asked);
    case 'explain':
      return by.explain({ account_id: '', now_ms: request.now_ms }, request.listing_id);
    case 'preview':
      return by.preview(request.draft, request.limit, request.now_ms);
    case 'sellers':
      return by.sellers(request.draft, request.limit);
    case 'agents':
      return by.agentsWith(request.labels, request.before, request.limit);
    case 'reminder':
      return by.runReminder(request.id);
    default:
      request satisfies never;
      throw new MatchingUnavailable();
  }
}
