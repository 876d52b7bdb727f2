// The word of the service's own agent behind a message to it: what it takes to answer is read with the conversation, and the answer is
// written by the asker's own turn. Nothing is written but the conversation of the two, its message and the asker's event, so that those
// who ask never wait for each other.
import { append, apply, type Effect, headOf } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { agentToMatch, matchById, seenAsOffer, seenAsSeek } from '../../../db/queries/match.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { isPlatform, PLATFORM_AGENT_ID } from '../../domain/agent/platform.ts';
import { withoutAmounts } from '../../domain/concierge/amount.ts';
import { type Enquiry, enquiryOf } from '../../domain/concierge/enquiry.ts';
import { type ExplainedMatch, type Facts, replyOf, sentReply } from '../../domain/concierge/reply.ts';
import { MATCH_TTL_MS, statusAt } from '../../domain/match/state.ts';
import { factsOf, otherOf, visibleTo } from '../../schemas/match.ts';
import type { Unplaced } from '../../schemas/message.ts';
import { guidanceText } from '../../schemas/next-step.ts';
import type { Recipient } from '../event.ts';
import { isMet } from '../match.ts';
import { messageEvent, messageRow } from '../message/post.ts';
import type { PostThread } from '../message/thread.ts';
import { progressOf } from '../onboarding/progress.ts';

/** Matches that one answer explains. */
const MATCHES_MAX = 3;

type Asker = Pick<Row<'agents'>, 'id' | 'account_id' | 'handle' | 'intake_at' | 'verified_at'>;

/** A match as it may be explained: one of the asker's that it was shown before, which is told of for free (questions.md 153),
 * with somebody whom it still meets. */
async function explained(
  read: Read,
  { id }: Asker,
  row: Row<'matches'> | null,
  now_ms: number,
): Promise<ExplainedMatch | null> {
  if (!row || !visibleTo(row, id) || !row.shown_to.includes(id)) return null;
  const other = await read.peek(agentToMatch, { id: otherOf(row, id) });
  if (!other || (row.status === 'pending' && !isMet(other))) return null;
  return {
    match_id: row.match_id,
    counterparty_handle: other.handle,
    score_percent: Math.round(row.score_ppm / 10_000),
    status: statusAt(factsOf(row), now_ms),
    reasons: row.reasons,
  };
}

/** The asker's matches that the ids name; without any the best that it was shown. */
async function readMatches(
  read: Read,
  asker: Asker,
  ids: readonly string[],
  now_ms: number,
): Promise<ExplainedMatch[]> {
  const { id } = asker;
  const args = { agent_id: id, listing_id: null, since_ms: now_ms - MATCH_TTL_MS, limit: MATCHES_MAX, seen: `%${id}%` };
  const rows =
    ids.length > 0
      ? await Promise.all(ids.map((match_id) => read.peek(matchById, { match_id })))
      : (await Promise.all([seenAsOffer, seenAsSeek].map((query) => read.peek(query, args))))
          .flat()
          .sort((a, b) => b.score_ppm - a.score_ppm)
          .slice(0, MATCHES_MAX);
  const told = await Promise.all(rows.map((row) => explained(read, asker, row, now_ms)));
  return told.filter((match) => match !== null);
}

const guideOf = (ctx: Ctx): string => `${ctx.settings.base_url}/llms.txt`;

async function readFacts(
  read: Read,
  ctx: Ctx,
  { manual }: Pick<LoadPorts, 'manual'>,
  asker: Asker,
  { kind, ids }: Enquiry,
  text: string,
): Promise<Facts> {
  const named = ids.length > 0 ? await readMatches(read, asker, ids, ctx.now_ms) : [];
  if (named.length > 0) return { about: 'matches', matches: named, found: null };
  switch (kind) {
    case 'bargain':
      return { about: kind };
    case 'service':
      return { about: kind, guide_url: guideOf(ctx) };
    case 'matches':
      return {
        about: 'matches',
        // An id that is none of the asker's is answered as if there were no such match.
        matches: ids.length > 0 ? [] : await readMatches(read, asker, [], ctx.now_ms),
        found: manual.answer(text).found,
      };
    case 'start': {
      const account = await read.peek(accountById, { id: asker.account_id });
      return { about: 'start', onboarding: progressOf(account, asker, ctx.settings.app_url) };
    }
    case 'price': {
      const answer = manual.answer(withoutAmounts(text));
      return answer.found ? { about: 'question', ...answer, guide_url: guideOf(ctx) } : { about: 'bargain' };
    }
    case 'question':
      return { about: 'question', ...manual.answer(text), guide_url: guideOf(ctx) };
  }
}

/** What the service's agent answers `asker`, or null where it is another that is written to: for those nothing is read. */
export async function readAnswer(
  read: Read,
  ctx: Ctx,
  ports: Pick<LoadPorts, 'manual'>,
  asker: Asker,
  to: { readonly id: string; readonly text: string },
): Promise<string | null> {
  if (!isPlatform(to.id)) return null;
  const facts = await readFacts(read, ctx, ports, asker, enquiryOf(to.text), to.text);
  return sentReply(guidanceText(replyOf(facts, ctx.form.door), ctx.form));
}

/** The same for a conversation that was read to be written into. It is the asker who opened it: the service's agent opens none. */
export async function readThreadAnswer(
  read: Read,
  ctx: Ctx,
  ports: Pick<LoadPorts, 'manual'>,
  asker: Asker,
  thread: PostThread,
  text: string,
): Promise<string | null> {
  if (thread?.opener_id !== asker.id) return null;
  return readAnswer(read, ctx, ports, asker, { id: thread.other_id, text });
}

/** The answer behind a message, which stands before it in the same turn: that has looked at the conversation's end. Whoever blocks
 * the service's agent and yet asks it something is answered. */
export function answerMessage(
  ctx: Ctx,
  asker: Recipient,
  conversation_id: string,
  answer: string,
): { readonly row: Unplaced; readonly effects: readonly Effect<never>[] } {
  const row = messageRow(ctx, conversation_id, { id: PLATFORM_AGENT_ID, handle: ctx.settings.platform_handle }, answer);
  const written = headOf(
    'last_n',
    apply<'conversations', never>('conversations', conversation_id, (now) => ({
      last_message_id: row.id,
      updated_at: ctx.now_ms,
      other_sent: now.other_sent + 1,
      // What it answers it has read.
      other_seen: now.opener_sent,
    })),
  );
  return { row, effects: [written, append('messages', row, 'n', written), messageEvent(ctx, row, asker)] };
}

/** What the answer takes; nothing where there is none. */
export function answerEffects(
  ctx: Ctx,
  asker: Recipient,
  { conversation_id }: Pick<Unplaced, 'conversation_id'>,
  answer: string | null,
): readonly Effect<never>[] {
  return answer === null ? [] : answerMessage(ctx, asker, conversation_id, answer).effects;
}
