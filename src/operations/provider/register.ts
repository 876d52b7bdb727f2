// Registers a provider of a capability: its address and its price. The address is tested at once, and the answer holds the result;
// registering again replaces the earlier provider, with a new secret, and returns it to rotation.
import { type Static, Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { providerOf, providersOfAgent } from '../../../db/queries/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx, type FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { ATTEMPT_MS } from '../../domain/router/call.ts';
import { inCatalogue } from '../../domain/router/catalogue.ts';
import { FIELDS_MAX, PROVIDERS_MAX, REGISTERED } from '../../domain/router/provider.ts';
import { namedObject } from '../../schemas/named.ts';
import { CapabilityName, EndpointCheck, ProviderShape, providerView } from '../../schemas/router.ts';
import { urlFault } from '../../steps/outside.ts';
import { CONTRACT, checkView, samplePayload, VERIFY } from '../../steps/router/contract.ts';
import { dispatch, dispatchBody, newProviderSecret } from '../../steps/router/dispatch.ts';
import { figuresOf } from '../../steps/router/figures.ts';

const FieldNames = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: FIELDS_MAX,
  uniqueItems: true,
});

interface Offered {
  readonly capability: string;
  readonly endpoint_url: string;
  readonly price_cents: number;
  readonly active: boolean;
  readonly required_fields: readonly string[] | null;
  readonly accepted_fields: readonly string[] | null;
}

interface Stored {
  readonly row: Row<'providers'>;
  readonly signing_secret: string;
}

/** Stores the provider, new or in place of the earlier one. */
async function store(
  read: Read,
  ctx: Ctx,
  { active, ...offered }: Offered,
): Promise<Decision<Stored, 'plan_limit' | 'conflict'>> {
  const { id: agent_id, account_id } = actor(ctx);
  const before = await read(providerOf, { agent_id, capability: offered.capability });
  const id = before?.id ?? ctx.id();
  const { signing_secret, sealed: secret } = newProviderSecret(ctx, id);
  const set = { ...offered, active: active ? 1 : 0, secret, ...REGISTERED, last_error: null };
  if (before)
    return { reply: { row: { ...before, ...set }, signing_secret }, effects: [patch('providers', before, set)] };
  const others = await read(providersOfAgent, { agent_id });
  if (others.length >= PROVIDERS_MAX) {
    return fault(
      'plan_limit',
      `An agent can offer at most ${PROVIDERS_MAX} capabilities; register one again with active: false to switch it off.`,
    );
  }
  const figures = { attempts: 0, served: 0, charged: 0, latency_sum_ms: 0, weighed_attempts: 0, weighed_served: 0 };
  const row: Row<'providers'> = {
    ...{ id, agent_id, account_id, ...set, ...figures },
    ...{ p50_ms: null, p95_ms: null, created_at: ctx.now_ms, version: 1 },
  };
  const effect: Effect<'conflict'> = insert('providers', row, fault('conflict'));
  return { reply: { row, signing_secret }, effects: [effect] };
}

export const providerRegister = flow({
  name: 'provider.register',
  noun: 'Providers: agents that serve capabilities for a price.',
  summary: 'Offer a capability',
  description: describe`Calls of the capability are sent to the address as signed POSTs; a complete 2xx response with JSON within 15 seconds earns the price, less the fee. The address is tested at once, with the result in \`endpoint_check\`; the offer is stored either way. Registering the same capability again replaces the offer, rotates the secret and ends a suspension. ${step('provider.test')} tests it later.`,
  input: namedObject('ProviderInput', 'a capability, its endpoint and its price', {
    capability: CapabilityName,
    endpoint_url: Type.String({ minLength: 1, maxLength: 2_000, description: 'a public https address' }),
    price_cents: Type.Integer({ minimum: 0, maximum: 10_000_000_000, description: 'per call; zero is allowed' }),
    currency: Type.Optional(Type.String({ maxLength: 8, description: 'only USD' })),
    active: Type.Optional(Type.Boolean({ description: 'false: no calls come yet' })),
    required_fields: Type.Optional({
      ...FieldNames,
      description: 'of the payload, if the capability is not in the catalogue',
    }),
    accepted_fields: Type.Optional({ ...FieldNames, description: 'the optional ones' }),
  }),
  output: namedObject('ProviderWithSecret', 'an offer, with the secret that signs its calls', {
    provider: ProviderShape,
    signing_secret: Type.String({ description: 'prs_ and 43 characters; shown only once, store it' }),
    verify: Type.String({ description: 'how to check the signature' }),
    contract: Type.String({ description: 'the request, and the expected response' }),
    endpoint_check: EndpointCheck,
  }),
  example: { capability: 'text.summarize', endpoint_url: 'https://hooks.example/summarize', price_cents: 25 },
  effect: 'changes',
  open_world: true,
  access: 'key',
  scope: 'router:provide',
  gate: 'verified',
  agent: 'required',
  secret: true,
  status: 'created',
  faults: ['invalid_request', 'unsupported_currency', 'plan_limit', 'conflict'],
  rest: [{ method: 'POST', path: '/api/router/providers' }],
  tools: [{ name: 'mesh_offer_capability', title: 'Offer a capability', set: 'market' }],
  run: async (input, ctx: FlowCtx, ports) => {
    const { capability, endpoint_url, price_cents, currency = 'USD', active = true } = input;
    if (currency.toUpperCase() !== 'USD') return fault('unsupported_currency');
    const known = inCatalogue(capability);
    if (known && (input.required_fields ?? input.accepted_fields)) {
      return invalid({
        path: 'required_fields',
        message: 'are defined by the catalogue for this capability; omit them',
      });
    }
    const unusable = await urlFault(ports, endpoint_url, 'endpoint_url');
    if (unusable) return unusable;
    const { required_fields = null, accepted_fields = null } = input;
    const offered = { capability, endpoint_url, price_cents, active, required_fields, accepted_fields };
    const stored = await ctx.turn({ attempt: (read) => store(read, ctx, offered) });
    if (isFault(stored)) return stored;
    const { row, signing_secret } = stored.reply;
    const body = dispatchBody(capability, samplePayload(capability, required_fields ?? []));
    const tried = await dispatch(ports, ctx, row, { call_id: ctx.id(), body, test: true, deadline_ms: ATTEMPT_MS });
    const provider: Static<typeof ProviderShape> = providerView(row, await figuresOf(ctx.read, row));
    const reply = { provider, signing_secret, verify: VERIFY, contract: CONTRACT, endpoint_check: checkView(tried) };
    return ctx.turn({ final: true, attempt: async () => ({ reply }) });
  },
});
