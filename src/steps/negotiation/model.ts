// Asks the model for an agent: within the day's caps, which are counted before anybody is asked; and writes down what it was asked, what it
// answered and what that cost, for the agent's owner.
import { count, type Effect, insert } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import {
  addUse,
  isWithinCaps,
  lessUse,
  MODEL_CALL_KEPT_MS,
  MODEL_CAPS,
  MODEL_COUNTER_MS,
  MODEL_MEASURES,
  type ModelUse,
  modelKey,
  modelUse,
  nearCap,
} from '../../domain/negotiation/model-budget.ts';
import { actor, type FlowCtx, type FlowPorts } from '../../operations/context.ts';
import { modelCapLetter } from '../../outbound/mailer/letters.ts';
import {
  type ModelPort,
  type Question,
  REQUESTS_MAX,
  type ReadAnswer,
  type Said,
  tokensAtMost,
} from '../../outbound/negotiator/negotiator.ts';
import { sendLetter } from '../letter.ts';

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

async function usedBy(read: Read, agent_id: string, now_ms: number): Promise<ModelUse> {
  const rows = await Promise.all(
    MODEL_MEASURES.map((measure) => read.peek(counterById, { id: modelKey(measure, agent_id, now_ms) })),
  );
  const [calls = 0, tokens = 0, microcents = 0] = rows.map((row) => row?.n ?? 0);
  return { calls, tokens, microcents };
}

/** Counts more, or less, of what an agent has used on the day. */
function countUse(agent_id: string, more: ModelUse, now_ms: number, limits: ModelUse): Effect<never>[] {
  return MODEL_MEASURES.filter((measure) => more[measure] !== 0).map((measure) => {
    const key = modelKey(measure, agent_id, now_ms);
    return count(key, limits[measure], 'again', now_ms + MODEL_COUNTER_MS, more[measure]);
  });
}

const UNLIMITED: ModelUse = {
  calls: Number.MAX_SAFE_INTEGER,
  tokens: Number.MAX_SAFE_INTEGER,
  microcents: Number.MAX_SAFE_INTEGER,
};

/** Reserves the most that a question can use, so that no two of them, on whichever nodes, pass a cap together; null where the caps leave
 * no room for it. Of a process that dies meanwhile it stays used. */
async function reserve(ctx: FlowCtx, { negotiator }: Ports, question: Question): Promise<ModelUse | null | Fault> {
  const { id } = actor(ctx);
  const most = modelUse(REQUESTS_MAX, tokensAtMost(question), negotiator.cents_per_mtok);
  const reserved = await ctx.turn<ModelUse | null, never>({
    attempt: async (read) => {
      if (!isWithinCaps(await usedBy(read, id, ctx.now_ms), most)) return { reply: null };
      return { reply: most, effects: countUse(id, most, ctx.now_ms, MODEL_CAPS) };
    },
  });
  return isFault(reserved) ? reserved : reserved.reply;
}

/** Tells the agent's person, once a day, that a cap is near. */
async function notice(read: Read, ctx: FlowCtx, used: ModelUse): Promise<Effect<never>[]> {
  const { id, handle, account_id } = actor(ctx);
  const key = modelKey('notice', id, ctx.now_ms);
  if (nearCap(used) === null || (await read.peek(counterById, { id: key }))) return [];
  const account = await read.peek(accountById, { id: account_id });
  const letter = modelCapLetter(handle, `${ctx.settings.app_url}/conversations?agent=${handle}`);
  return [
    count(key, 1, 'again', ctx.now_ms + MODEL_COUNTER_MS),
    ...(account?.email ? [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] : []),
  ];
}

/** Writes down what came of a question, and gives back what it did not use of what was reserved. */
async function writeDown(
  ctx: FlowCtx,
  { negotiator, clock }: Ports,
  asked: Asked<unknown>,
  said: Said<unknown>,
  reserved: ModelUse,
): Promise<string | Fault> {
  const { id: agent_id } = actor(ctx);
  const { model, cents_per_mtok } = negotiator;
  const { question, purpose } = asked;
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
  const more = lessUse(modelUse(said.requests, said.tokens, cents_per_mtok), reserved);
  const written = await ctx.turn<string, never>({
    attempt: async (read) => {
      const used = addUse(await usedBy(read, agent_id, ctx.now_ms), more);
      const counted = countUse(agent_id, more, ctx.now_ms, UNLIMITED);
      return { reply: row.id, effects: [...counted, insert('model_calls', row), ...(await notice(read, ctx, used))] };
    },
  });
  return isFault(written) ? written : written.reply;
}

/** Asks for the acting agent. Two turns stand around the question, and none is held up by it. */
export async function askModel<T>(ctx: FlowCtx, ports: Ports, asked: Asked<T>): Promise<Advised<T> | Fault> {
  const { model } = ports.negotiator;
  const unasked = (failure: string): Advised<T> => ({ model, value: null, failure, call_id: null });
  if (ports.negotiator.rests()) return unasked('it failed a moment ago');
  const reserved = await reserve(ctx, ports, asked.question);
  if (isFault(reserved)) return reserved;
  if (!reserved) return unasked('the limit of the day is reached');
  const said = await ports.negotiator.askFor(actor(ctx).id, asked.question, asked.read);
  const call_id = await writeDown(ctx, ports, asked, said, reserved);
  if (isFault(call_id)) return call_id;
  return { model, value: said.value, failure: said.failure, call_id };
}
