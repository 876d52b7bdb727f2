// Routes a call of a capability to whoever serves it best: one provider after another until one answers, and a price for an answer alone
// (interface.md "Router capability, provider, call"; rules.md 9). The row of the call stands before anybody is asked, and its
// money is set aside by then, so that neither a repeat nor a crash asks or charges twice.
import { type Static, Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { providerById } from '../../../db/queries/router.ts';
import type { TriedColumn } from '../../../db/schema/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Outcome } from '../../../db/store.ts';
import { actor, type Ctx, type FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { payWithFee } from '../../domain/money/fee.ts';
import { post } from '../../domain/money/ledger.ts';
import { describe } from '../../domain/next-step.ts';
import { CALL_MS } from '../../domain/router/call.ts';
import { SORTS } from '../../domain/router/ranking.ts';
import type { Failed } from '../../domain/router/verdict.ts';
import { DryRunInput } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { CapabilityName, callView, type Handles, RoutedCall } from '../../schemas/router.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { readHandles } from '../../steps/agent/called.ts';
import { paymentRequired } from '../../steps/money/payment.ts';
import { isSpendFault, spend } from '../../steps/money/spend.ts';
import { triedOf } from '../../steps/router/attempt.ts';
import { type Asked, type Begun, begin, CALL_FAULTS, readCall } from '../../steps/router/begin.ts';
import { dispatch, dispatchBody } from '../../steps/router/dispatch.ts';
import { type Done, endFailed, endServed, noteFailed } from '../../steps/router/end.ts';
import { keptResult } from '../../steps/router/result.ts';

/** What only those can do who send a key with their request. */
const REPEATED = {
  http:
    ' With an Idempotency-Key a repeat gets the same answer for 24 hours, on any node, and nobody is asked or charged twice; after ' +
    'a refusal with 402 or 502 `providers_failed` the same key makes a new call.',
  tools: '',
};

type Answer = Outcome<Static<typeof RoutedCall>>;

const PREFERENCES = {
  max_price_cents: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000_000 })),
  only: Type.Optional(
    Type.Array(HandleInput, { minItems: 1, maxItems: 50, description: 'these providers alone, by their handles' }),
  ),
  ignore: Type.Optional(Type.Array(HandleInput, { maxItems: 50, description: 'none of these providers' })),
  sort: Type.Optional(
    Type.Enum([...SORTS], {
      description: 'whom to try first: by expected cost unless said, by price, latency or reliability',
    }),
  ),
  max_latency_ms: Type.Optional(
    Type.Integer({ minimum: 1, maximum: CALL_MS, description: 'of half of their answers; who has shown none passes' }),
  ),
};

type Preferences = Partial<Pick<Asked, 'sort'>> & {
  readonly max_price_cents?: number;
  readonly only?: readonly string[];
  readonly ignore?: readonly string[];
  readonly max_latency_ms?: number;
};

interface Input extends Preferences {
  readonly capability: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly allow_fallbacks?: boolean;
}

/** Handles as they are written; what can be none names nobody. */
const handlesOf = (given: readonly string[]): string[] =>
  given.map((handle) => parseHandle(handle)).filter((handle) => typeof handle === 'string');

function askedOf(given: Input): Asked {
  const { capability, payload = {}, only, ignore = [], sort = 'cost', ...most } = given;
  const { max_price_cents = null, max_latency_ms = null } = most;
  const wanted = { only: only ? handlesOf(only) : null, ignore: handlesOf(ignore), sort };
  return { capability, payload, given, ...wanted, max_price_cents, max_latency_ms };
}

/** A number from 0 to 1 out of the service's randomness. */
const luckOf = (ctx: Ctx): number => Buffer.from(ctx.random(4)).readUInt32BE() / 2 ** 32;

function answered(call: Row<'router_calls'>, handles: Handles, result: unknown): Answer {
  const { id: call_id, ...receipt } = callView(call, handles);
  return { reply: { call_id, ...receipt, result } };
}

/** The refusal of a call that nobody answered, with what each provider did. */
function failedAnswer(call: Row<'router_calls'>, handles: Handles): Answer {
  const { attempts } = callView(call, handles);
  return fault('providers_failed', undefined, { status: 'failed', call_id: call.id, attempts });
}

/** What a call that was made before got, for the time that it is kept. */
async function answeredBefore(ctx: FlowCtx, call: Row<'router_calls'>): Promise<Answer> {
  const asked = call.attempts.map(({ agent_id }) => agent_id);
  const [kept, handles] = await Promise.all([
    keptResult(ctx.read, ctx, call.id, ctx.now_ms),
    readHandles(ctx.read, asked),
  ]);
  const again = answered(call, handles, kept?.result ?? null);
  return isFault(again) ? again : { ...again, notes: { replayed: true } };
}

/** Asks one provider after the other. */
async function ask(
  ctx: FlowCtx,
  ports: FlowPorts,
  { call, handles }: Extract<Begun, { readonly is_repeat: false }>,
  { payload, allow_fallbacks = true }: Input,
): Promise<Answer> {
  const began_ms = performance.now();
  const left = (): number => CALL_MS - (performance.now() - began_ms);
  const body = dispatchBody(call.capability, payload ?? {});
  const tried: TriedColumn[] = [];
  let last: (Done & { verdict: Failed }) | null = null;
  // What a turn of this flow decides, it decides at its own time.
  const now = (): FlowCtx => ({ ...ctx, now_ms: ports.clock.now() });
  for (const { provider_id } of call.candidates) {
    const provider = await ctx.read(providerById, { id: provider_id });
    const deadline_ms = Math.round(left());
    // Who has ended the offer since is asked no more.
    if (provider?.active !== 1 || deadline_ms <= 0) continue;
    if (last) {
      const before = last;
      const noted = await ctx.turn({ attempt: (read) => noteFailed(read, now(), before, tried) });
      if (isFault(noted)) return noted;
    }
    const attempted = await dispatch(ports, ctx, provider, { call_id: call.id, body, test: false, deadline_ms });
    const { verdict } = attempted;
    const done = { call, provider, attempted };
    if (verdict.served) {
      const took_ms = Math.round(performance.now() - began_ms);
      const ended = await ctx.turn({ attempt: (read) => endServed(read, now(), done, { verdict, tried, took_ms }) });
      return isFault(ended) ? ended : answered(ended.reply, handles, verdict.result);
    }
    tried.push(triedOf(provider, attempted));
    last = { ...done, verdict };
    if (!allow_fallbacks && attempted.may_have_arrived) break;
  }
  const ended = await ctx.turn({ attempt: (read) => endFailed(read, now(), { call, last, tried }) });
  return isFault(ended) ? ended : failedAnswer(ended.reply, handles);
}

export const routerCallMake = flow({
  name: 'router_call.make',
  noun: 'Calls of capabilities, routed to whoever serves them, and their receipts.',
  summary: 'Call a capability',
  description: describe`The payload goes unchanged to the provider that is expected to cost least, by its price and by how often it answers, and to the next where it does not: 15 seconds each, 60 in all. Only a whole 2xx answer of JSON is charged, at the price that was fixed when the call began or below it; what was set aside beyond that goes back. The answer is of its provider, and is data.${REPEATED} With \`dry_run\` nobody is asked.`,
  input: namedObject('CallInput', 'what is to be done, and by whom', {
    capability: CapabilityName,
    payload: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'passed on unchanged; see the fields of the capability',
      }),
    ),
    ...PREFERENCES,
    allow_fallbacks: Type.Optional(
      Type.Boolean({ description: 'false: no other provider is asked once one may have got the call' }),
    ),
    dry_run: DryRunInput,
  }),
  output: RoutedCall,
  example: { capability: SAMPLE.capability, payload: { text: 'Where is the harbour?', to: 'fr' }, max_price_cents: 50 },
  effect: 'spends',
  open_world: true,
  access: 'key',
  scope: 'router:call',
  agent: 'required',
  dry_run: true,
  faults: [...CALL_FAULTS, 'providers_failed'],
  rest: [{ method: 'POST', path: '/api/router/call' }],
  tools: [{ name: 'mesh_route_call', title: 'Call a capability', set: 'market' }],
  rehearsal: async (read, input, ctx) => {
    const asked = askedOf(input);
    const found = await readCall(read, asked, ctx, luckOf(ctx));
    if (isFault(found)) return found;
    const [first] = found.offers;
    if (!first || first.price_cents === 0) return { reply: null };
    const { agent_id: to_id, account_id, price_cents: amount_cents } = first;
    const { capability } = asked;
    const spent = spend(ctx, found.state, { amount_cents, to_id, capability, operation: 'router_call.make' });
    if (isSpendFault(spent)) return spent;
    const plan = (await read.peek(accountById, { id: account_id }))?.plan ?? 'free';
    const { legs } = payWithFee({
      debit: `wallet:${actor(ctx).id}`,
      seller_id: to_id,
      price_cents: amount_cents,
      fee_bps: PLANS[plan].router_fee_bps,
    });
    const journal = { id: `hold_settle:${ctx.id()}`, kind: 'hold_settle', subject_id: null, created_at: ctx.now_ms };
    const posted = post(journal, legs, paymentRequired(amount_cents), fault('conflict'));
    return { reply: null, effects: [spent.gate, posted, ...spent.counts] };
  },
  run: async (input, ctx, ports) => {
    const asked = askedOf(input);
    const luck = luckOf(ctx);
    const begun = await ctx.turn({ final: 'refusals', attempt: (read) => begin(read, asked, ctx, luck) });
    if (isFault(begun)) return begun;
    const { reply } = begun;
    return reply.is_repeat ? answeredBefore(ctx, reply.call) : ask(ctx, ports, reply, input);
  },
});
