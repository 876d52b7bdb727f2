// The acting agent as a turn needs it: its row read again (the pipeline's copy may be five seconds old) and the facts of its
// trust; and one function to change it, so that every change updates the trust figure and sends the agent an event.
import { type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import type { AgentFacts } from '../../schemas/agent.ts';
import { tell } from '../event.ts';
import { type TrustFacts, trustColumns } from './trust.ts';

export interface Own {
  /** Null when the agent was deactivated meanwhile. */
  readonly agent: Row<'agents'> | null;
  readonly account: Row<'accounts'> | null;
  readonly claims: readonly Row<'claims'>[];
  readonly facts: TrustFacts & { readonly presence: AgentFacts };
}

/** The trust.updated event, unless trust stayed as it was. */
function trustEvents(ctx: Ctx, before: Row<'agents'>, after: Row<'agents'>): Effect<never>[] {
  const { trust_score: score, credentials } = after;
  if (score === before.trust_score && credentials.join() === before.credentials.join()) return [];
  return [tell(ctx, after, 'trust.updated', { score, credentials: [...credentials] })];
}

/** The agent's row after a change and its effects: the row, its new trust, the events to itself. `fields` are the wire's names
 * of the changed fields; none when only trust changed. */
export function changeAgent(
  ctx: Ctx,
  agent: Row<'agents'>,
  set: Partial<Omit<Row<'agents'>, 'id' | 'version'>>,
  facts: TrustFacts,
  fields: readonly string[],
): { row: Row<'agents'>; effects: Effect<never>[] } {
  const merged = { ...agent, ...set, updated_at: ctx.now_ms };
  const row = { ...merged, ...trustColumns(merged, facts, ctx.now_ms) };
  const { trust_score, credentials, failing_credentials, updated_at } = row;
  const news = fields.length > 0 ? [tell(ctx, row, 'agent.updated', { fields: [...fields] })] : [];
  return {
    row,
    effects: [
      patch('agents', agent, { ...set, trust_score, credentials, failing_credentials, updated_at }),
      ...news,
      ...trustEvents(ctx, agent, row),
    ],
  };
}
