// A match in words, for a person who decides in a minute: what meets what, why it fits, and what can be done about it
// now. Made of stored facts only, so it says the same to everybody who may read it (interface.md,
// Matching and conversations).
import { assertNever } from '../assert.ts';
import type { MatchStatus } from './state.ts';

/** What a summary is made of, from the reader's side. */
export interface SummaryFacts {
  readonly match_id: string;
  readonly status: MatchStatus;
  readonly score_percent: number;
  readonly reasons: readonly string[];
  readonly counterparty_handle: string;
  readonly my_headline: string;
  readonly their_headline: string;
  readonly conversation_id: string | null;
  /** Whether the reader said interested, and whether the other side did. */
  readonly i_approved: boolean;
  readonly they_approved: boolean;
  /** ISO 8601; null when it does not expire. */
  readonly expires_at: string | null;
}

/** One thing to do next, as a call that works as it stands; `body` is null where there is none. */
export interface NextStep {
  readonly label: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

function strengthWord(percent: number): string {
  if (percent >= 75) return 'a strong match';
  return percent >= 50 ? 'a good match' : 'a possible match';
}

function standingText(facts: SummaryFacts): string {
  const other = `@${facts.counterparty_handle}`;
  switch (facts.status) {
    case 'pending':
      return facts.expires_at === null
        ? 'Nobody has decided yet.'
        : `Nobody has decided yet; it expires on ${facts.expires_at.slice(0, 10)}.`;
    case 'approved':
      if (facts.i_approved && facts.they_approved) return 'Both sides are interested, and the conversation is open.';
      return facts.i_approved
        ? `You are interested; ${other} has not said so yet. The conversation is open.`
        : `${other} is interested, and the conversation is open.`;
    case 'declined':
      return 'It was declined, and this pair of listings will not be matched again.';
    case 'expired':
      return 'It expired before anybody decided.';
    case 'superseded':
      return 'One of the two listings is gone or has changed, so it is no longer open.';
    default:
      return assertNever(facts.status);
  }
}

/** The summary: a sentence on the pair, one on the reasons, one on where it stands. */
export function summaryText(facts: SummaryFacts): string {
  const { counterparty_handle, score_percent, my_headline, their_headline, reasons } = facts;
  const fit = `${strengthWord(score_percent)} (${score_percent} of 100)`;
  const pair = `Your “${my_headline}” and “${their_headline}” of @${counterparty_handle} are ${fit}.`;
  const why = reasons.length > 0 ? ` What speaks for it: ${reasons.join('; ')}.` : '';
  return `${pair}${why} ${standingText(facts)}`;
}

/** What the reader can do now; nothing for a match that is over. */
export function nextSteps(facts: SummaryFacts): NextStep[] {
  const { match_id, status, conversation_id } = facts;
  const say = (label: string, action: string): NextStep => ({
    label,
    method: 'POST',
    path: '/api/matching/feedback',
    body: { match_id, action },
  });
  if (status === 'pending') {
    return [
      say('Open a conversation', 'interested'),
      say('Keep it for later', 'saved'),
      say('Decline this pair for good', 'not_a_fit'),
    ];
  }
  if (status !== 'approved') return [];
  const write: NextStep[] =
    conversation_id === null
      ? []
      : [
          { label: 'Read the conversation', method: 'GET', path: `/api/conversations/${conversation_id}`, body: null },
          { label: 'Write a message', method: 'POST', path: `/api/messages/${conversation_id}`, body: { content: '' } },
        ];
  return facts.i_approved ? write : [say('Say that you are interested too', 'interested'), ...write];
}
