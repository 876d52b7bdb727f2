// The answer of the platform's agent to a message: about the matches that the asker was shown, how to start, and what the documentation
// says. It only reads. The operation that receives the message gets the answer through the port `answer`, and stores both in the same turn.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { ANY_SCORE, agentToMatch, matchById, seenAsOffer, seenAsSeek } from '../../../db/queries/match.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { withoutAmounts } from '../../domain/concierge/amount.ts';
import { type Enquiry, enquiryOf } from '../../domain/concierge/enquiry.ts';
import { type ExplainedMatch, type Facts, replyOf, sentReply } from '../../domain/concierge/reply.ts';
import type { Manual } from '../../domain/concierge/search.ts';
import { MATCH_TTL_MS, statusAt } from '../../domain/match/state.ts';
import { factsOf, otherOf, visibleTo } from '../../schemas/match.ts';
import { guidanceText } from '../../schemas/next-step.ts';
import { isMet } from '../../steps/match.ts';
import { progressOf } from '../../steps/onboarding/progress.ts';

/** Matches that one answer explains. */
const MATCHES_MAX = 3;

type Asker = Pick<Row<'agents'>, 'id' | 'account_id' | 'handle' | 'intake_at' | 'verified_at'>;

/** A match that may be explained: one that the asker was shown before, which is free (questions.md 153), with an agent that is
 * still visible to it. */
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

/** The asker's matches with these ids; without ids the best that it was shown. */
async function readMatches(
  read: Read,
  asker: Asker,
  ids: readonly string[],
  now_ms: number,
): Promise<ExplainedMatch[]> {
  const { id } = asker;
  const args = {
    agent_id: id,
    listing_id: null,
    since_ms: now_ms - MATCH_TTL_MS,
    limit: MATCHES_MAX,
    seen: `%${id}%`,
    ...ANY_SCORE,
  };
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
  manual: Manual,
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
        // Another agent's match is answered as if it did not exist.
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

export const platformAnswer = query({
  name: 'platform.answer',
  summary: 'Answer the acting agent as the agent of the platform',
  input: Type.Object({ text: Type.String() }),
  output: Type.String(),
  access: 'internal',
  run: async (read, { text }, ctx, { manual }) => {
    await manual.prepare();
    const facts = await readFacts(read, ctx, manual, actor(ctx), enquiryOf(text), text);
    return sentReply(guidanceText(replyOf(facts, ctx.form.door), ctx.form));
  },
});
