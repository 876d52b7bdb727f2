// Asks the model for an agent: within the day's caps, which are counted before anybody is asked; and writes down what it was asked, what it
// answered and what that cost, for the agent's owner.
import { insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type FlowCtx } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import { MODEL_CALL_KEPT_MS } from '../../domain/negotiation/model-budget.ts';
import type { ModelPort, Question, ReadAnswer, Said } from '../../outbound/negotiator/negotiator.ts';
import { openTab, type Tab } from './model-use.ts';

/** What a model said; `value` is null where the built-in rules are to answer, and `failure` says why. */
export interface Advised<T> {
  readonly model: string;
  readonly value: T | null;
  readonly failure: string | null;
  /** Under which it was written down; null where nobody was asked. */
  readonly call_id: string | null;
}

/** What is asked, for what, and how the answer is read. */
export interface Asked<T> {
  readonly purpose: Row<'model_calls'>['purpose'];
  readonly question: Question;
  readonly read: ReadAnswer<T>;
}

type Ports = Pick<FlowPorts, 'clock'> & { readonly negotiator: ModelPort };

/** Writes down what came of a question, and counts what it used; null where nobody was asked. */
async function writeDown(
  ctx: FlowCtx,
  { negotiator, clock }: Ports,
  { question, purpose }: Asked<unknown>,
  said: Said<unknown>,
  tab: Tab,
): Promise<string | null | Fault> {
  const { id: agent_id } = actor(ctx);
  const { model, cents_per_mtok } = negotiator;
  const created_at = clock.now();
  const row: Row<'model_calls'> = {
    id: ctx.id(),
    agent_id,
    purpose,
    model,
    prompt: `${question.system}\n\n${question.user}`,
    answer: said.answer,
    tokens: said.tokens,
    cost_microcents: cents_per_mtok === null ? null : said.tokens * cents_per_mtok,
    created_at,
    expires_at: created_at + MODEL_CALL_KEPT_MS,
    version: 1,
  };
  const kept = said.requests > 0 ? [insert('model_calls', row)] : [];
  const written = await ctx.turn<null, never>({
    attempt: async (read) => ({ reply: null, effects: [...(await tab.settle(read, said)), ...kept] }),
  });
  if (isFault(written)) return written;
  return kept.length > 0 ? row.id : null;
}

/** Asks for the acting agent. Turns stand before each request and behind the last, and none is held up by it. */
export async function askModel<T>(ctx: FlowCtx, ports: Ports, asked: Asked<T>): Promise<Advised<T> | Fault> {
  const { negotiator } = ports;
  const { model } = negotiator;
  if (negotiator.rests()) return { model, value: null, failure: 'it failed a moment ago', call_id: null };
  const tab = openTab(ctx, ports);
  const said = await negotiator.askFor(actor(ctx).id, asked.question, asked.read, tab.may);
  const refused = await tab.close();
  const call_id = tab.hasCounted() ? await writeDown(ctx, ports, asked, said, tab) : null;
  if (isFault(call_id)) return call_id;
  if (refused) return refused;
  return { model, value: said.value, failure: said.failure, call_id };
}
