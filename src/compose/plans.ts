// Reads the operator's plans: a JSON file with the values of each plan that differ from the interface.
import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { insert } from '../../db/effects.ts';
import type { Store } from '../../db/store.ts';
import { UnusableSetting } from '../config.ts';
import { INTERFACE_PLANS, type Plan, type Plans, RATE_NOTE, takePlans } from '../domain/identity/plan.ts';
import { PRO_SCOPES } from '../domain/identity/scope.ts';

const COUNT = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Limit = Type.Optional(Type.Union([COUNT, Type.Null()]));
/** At most half of the payment. */
const FeeBps = Type.Optional(Type.Integer({ minimum: 0, maximum: 5_000 }));

/** One line of text, for people. */
const Name = Type.Optional(Type.String({ pattern: '^[^\\p{C}\\s]([^\\p{C}]{0,38}[^\\p{C}\\s])?$' }));

const FREE = {
  name: Name,
  limits: Type.Optional(
    Type.Object({ listings: Limit, matches: Limit, conversations: Limit }, { additionalProperties: false }),
  ),
  outcome_fee_bps: FeeBps,
  router_fee_bps: FeeBps,
  requests_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  priority_matching: Type.Optional(Type.Boolean()),
  storage_bytes: Type.Optional(Type.Integer({ minimum: 1_000_000, maximum: Number.MAX_SAFE_INTEGER })),
  open_streams: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000 })),
  demand: Type.Optional(
    Type.Object({ posts_a_day: Type.Optional(COUNT), open: Type.Optional(COUNT) }, { additionalProperties: false }),
  ),
  scopes: Type.Optional(Type.Array(Type.Enum([...PRO_SCOPES]), { maxItems: PRO_SCOPES.length })),
};
/** US cents a month; card processors accept nothing below 50. */
const PRO = { ...FREE, price_cents: Type.Optional(Type.Integer({ minimum: 50, maximum: 99_999_999 })) };

const exact = { additionalProperties: false };
const PlansFile = Type.Object(
  { free: Type.Optional(Type.Object(FREE, exact)), pro: Type.Optional(Type.Object(PRO, exact)) },
  exact,
);
type Given = NonNullable<Static<typeof PlansFile>['pro']>;

function withGiven(plan: Plan, given: Given = {}): Plan {
  return {
    ...plan,
    ...given,
    limits: { ...plan.limits, ...given.limits },
    demand: { ...plan.demand, ...given.demand },
  };
}

/** The first invalid value, by its path. */
function misfit(read: unknown): string {
  const [first] = Value.Errors(PlansFile, read);
  if (!first) return 'it does not fit';
  const unknown = 'additionalProperties' in first.params ? ` ${first.params.additionalProperties.join(', ')}` : '';
  return `${first.instancePath.slice(1).replaceAll('/', '.') || 'the whole'} ${first.message}${unknown}`;
}

/** The plans of a file; those of the interface without one. */
function plansOf(file: string | undefined): Plans {
  if (file === undefined) return INTERFACE_PLANS;
  const refuse = (why: string): never => {
    throw new UnusableSetting(`PLANS ${file}: ${why}`);
  };
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // A parser quotes what it read, which is a secret where the setting names the wrong file.
    if (error instanceof SyntaxError) return refuse('it is not valid JSON');
    return refuse(error instanceof Error ? error.message : 'it cannot be read');
  }
  if (!Value.Check(PlansFile, read)) return refuse(misfit(read));
  return { free: withGiven(INTERFACE_PLANS.free, read.free), pro: withGiven(INTERFACE_PLANS.pro, read.pro) };
}

/** Uses the plans of a file in this process, and stores their rates. Throws `UnusableSetting`, which names the invalid value. */
export async function usePlans(store: Pick<Store, 'turn'>, file: string | undefined): Promise<void> {
  const plans = plansOf(file);
  takePlans(plans);
  if (file === undefined) return;
  const rates = Object.values(plans).flatMap(({ outcome_fee_bps, router_fee_bps }) => [
    outcome_fee_bps,
    router_fee_bps,
  ]);
  const notes = [...new Set(rates)].map((bps) =>
    insert('service_notes', { id: `${RATE_NOTE}${bps}`, value: {} }, 'ignore'),
  );
  await store.turn({ attempt: async () => ({ reply: null, effects: notes }) });
}
