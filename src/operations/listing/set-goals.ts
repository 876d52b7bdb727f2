// Sets what the owner of a listing wants of each issue of a deal, with the rights of bounds: a key may narrow what a person set, and its
// person is told by letter where it lets the agent agree to more.
import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { listingById } from '../../../db/queries/listing.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { GOAL_ISSUES, goalsFault, widenedGoal } from '../../domain/negotiation/goal.ts';
import { goalsLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { GoalInput, GoalsShape, goalsView } from '../../schemas/issue.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { sendLetter } from '../../steps/letter.ts';
import { sideOf } from '../../steps/negotiation/compared.ts';

function letterOf(ctx: Ctx, { id, headline }: Row<'listings'>, account: Row<'accounts'> | null): Effect<never>[] {
  if (!account?.email) return [];
  const url = `${ctx.settings.app_url}/listings/${id}`;
  const letter = goalsLetter({ handle: `@${actor(ctx).handle}`, headline }, url, letterWordsFor(account));
  return [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)];
}

export const listingSetGoals = command({
  name: 'listing.set_goals',
  summary: 'Set the goals of a listing',
  description:
    'What the built-in negotiator bargains for, by issue: `limit`, `wish` and `weight`. It offers and takes nothing beyond a limit, and agrees by itself to no issue without a goal. The list is replaced as a whole; an empty one leaves the price alone. Nobody else sees it. A key may narrow, but not widen, what a person set in a session. What a key proposes or approves itself is held to the bounds, not to these.',
  input: namedObject('GoalsInput', 'the goals to set', {
    cardId: PathId,
    goals: Type.Array(GoalInput, { maxItems: GOAL_ISSUES.length }),
  }),
  output: GoalsShape,
  example: {
    cardId: SAMPLE.listing_id,
    goals: [
      { issue: 'price', weight: 2 },
      { issue: 'days_to_deliver', limit: 5, wish: 14, weight: 1 },
    ],
  },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['not_found', 'invalid_request', 'session_required', 'conflict'],
  rest: [{ method: 'PUT', path: '/api/agents/{handle}/cards/{cardId}/goals', acting: 'handle' }],
  tools: [{ name: 'mesh_set_goals', title: 'Set the goals of a listing', set: 'listings', extension: true }],
  load: async (read, { cardId }, ctx) => {
    const { id, account_id } = actor(ctx);
    const row = await read(listingById, { id: cardId });
    if (row?.agent_id !== id) return null;
    return { row, account: await read.peek(accountById, { id: account_id }) };
  },
  decide: (state, { goals }, ctx) => {
    if (!state) return fault('not_found');
    const { row, account } = state;
    const side = sideOf(row);
    const issues = goals.map(({ issue, limit = null, wish = null, weight = 1 }) => ({ issue, limit, wish, weight }));
    const wrong = goalsFault(side, issues);
    if (wrong) return wrong;
    const before = row.goals?.issues ?? [];
    const wider = widenedGoal(side, before, issues);
    const by_person = ctx.principal.kind === 'session';
    if (wider !== null && !by_person && row.goals?.by_person) {
      return fault('session_required', `A person set ${wider}: a key may narrow it, only a session may widen it.`);
    }
    const set_by_person = by_person || row.goals?.by_person === true;
    const after = issues.length === 0 ? null : { issues, by_person: set_by_person };
    const reply = goalsView(row.id, after);
    if (isDeepStrictEqual(after, row.goals)) return { reply };
    const told = !by_person && wider !== null ? letterOf(ctx, row, account) : [];
    return { reply, effects: [patch('listings', row, { goals: after }), ...told] };
  },
});
