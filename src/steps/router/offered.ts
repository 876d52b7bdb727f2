// Reads of the router: all capabilities (of the catalogue and offered ones) with exact figures; stored answers; a call that was cut
// off.
import type { Static } from 'typebox';
import {
  capabilitiesOffered,
  firstContract,
  freshLatencies,
  freshOfCapabilities,
  providerById,
  routerResultById,
} from '../../../db/queries/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { CATALOGUE, inCatalogue, payloadSchema } from '../../domain/router/catalogue.ts';
import { latencyOf, percentServed, WINDOW } from '../../domain/router/reliability.ts';
import { open } from '../../outbound/seal.ts';
import type { CapabilityShape } from '../../schemas/router.ts';
import { type CutOff, keyOf, type Sealing } from './expire.ts';

/** The most listed capabilities besides the catalogue's. */
const OFFERED_MAX = 1_000;

type Shown = Static<typeof CapabilityShape>;

/** The figures of a capability, as far as they are gathered. */
interface Gathered {
  readonly providers: number;
  readonly from_price_cents: number | null;
  readonly attempts: number;
  readonly served: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

const NOBODY: Gathered = { providers: 0, from_price_cents: null, attempts: 0, served: 0, p50_ms: null, p95_ms: null };

const fieldNames = (capability: string, required: boolean): string[] =>
  inCatalogue(capability)
    ?.fields.filter((field) => field.required === required)
    .map(({ name }) => name) ?? [];

async function contractOf(
  read: Read,
  capability: string,
): Promise<Pick<Shown, 'description' | 'required_fields' | 'accepted_fields' | 'input_schema'>> {
  const known = inCatalogue(capability);
  if (known) {
    const required_fields = fieldNames(capability, true);
    const accepted_fields = [...required_fields, ...fieldNames(capability, false)];
    return { description: known.description, required_fields, accepted_fields, input_schema: payloadSchema(known) };
  }
  const told = await read(firstContract, { capability });
  const required_fields = [...(told?.required_fields ?? [])];
  const accepted_fields = [...new Set([...required_fields, ...(told?.accepted_fields ?? [])])];
  return { description: null, required_fields, accepted_fields, input_schema: null };
}

/** The latency of a capability without gathered figures. */
async function latencySoFar(read: Read, capability: string): Promise<Pick<Gathered, 'p50_ms' | 'p95_ms'>> {
  const fresh = await read(freshLatencies, { capability, limit: WINDOW });
  return latencyOf(fresh.flatMap(({ latency_ms }) => latency_ms ?? []));
}

/** Each capability as the public sees it, by name. */
export async function capabilityViews(read: Read): Promise<Shown[]> {
  const [offered, fresh] = await Promise.all([
    read(capabilitiesOffered, { after: '', limit: OFFERED_MAX }),
    read(freshOfCapabilities, {}),
  ]);
  const names = [...new Set([...CATALOGUE.map(({ name }) => name), ...offered.map(({ capability }) => capability)])];
  const gathered: ReadonlyMap<string, Gathered> = new Map(offered.map((each) => [each.capability, each]));
  const since = new Map(fresh.map((each) => [each.capability, each]));
  const view = async (capability: string): Promise<Shown> => {
    const figures = gathered.get(capability) ?? NOBODY;
    const [attempts, served] = [
      figures.attempts + (since.get(capability)?.attempts ?? 0),
      figures.served + (since.get(capability)?.served ?? 0),
    ];
    const latency = figures.p50_ms === null && served > 0 ? await latencySoFar(read, capability) : figures;
    return {
      capability,
      providers: figures.providers,
      from_price_cents: figures.from_price_cents,
      currency: 'USD',
      calls_served: served,
      success_rate: percentServed(attempts, served),
      typical_latency_ms: latency.p50_ms === null ? null : Math.round(latency.p50_ms),
      p95_latency_ms: latency.p95_ms,
      ...(await contractOf(read, capability)),
    };
  };
  return Promise.all(names.toSorted().map(view));
}

/** All capabilities by name, with how many serve each. */
export async function capabilityUses(read: Read): Promise<{ readonly name: string; readonly providers: number }[]> {
  const offered = await read(capabilitiesOffered, { after: '', limit: OFFERED_MAX });
  const uses = new Map(CATALOGUE.map(({ name }) => [name, 0]));
  for (const { capability, providers } of offered) uses.set(capability, providers);
  return [...uses].map(([name, providers]) => ({ name, providers }));
}

/** Reads the facts for giving up a call; null when it has ended. */
export async function readCutOff(read: Read, call: Row<'router_calls'> | null): Promise<CutOff | null> {
  if (call?.status !== 'open') return null;
  const tried = new Set(call.attempts.map(({ provider_id }) => provider_id));
  const next = call.candidates.find(({ provider_id }) => !tried.has(provider_id));
  return { call, provider: next ? await read.peek(providerById, { id: next.provider_id }) : null };
}

/** The stored answer of a call; null when there is none, or no longer. */
export async function keptResult(
  read: Read,
  ctx: Sealing,
  call_id: string,
  now_ms: number,
): Promise<{ readonly result: unknown } | null> {
  const row = await read(routerResultById, { id: call_id });
  if (!row || row.expires_at <= now_ms) return null;
  const text = open(keyOf(ctx, call_id), row.sealed, call_id);
  return text === null ? null : { result: JSON.parse(text) };
}
