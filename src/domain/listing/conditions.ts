// A listing's conditions: pricing tiers, dealbreakers, weighted preferences (interface.md "Listing", rules.md 5).
// They are mapped field by field, so nothing that the interface does not name is ever stored.

import { type Fault, invalid } from '../fault.ts';
import { type Preference, preferencesOf } from './listing.ts';
import type { Billing } from './price.ts';

/** More would be a price list; a listing has one slug, so each tier must stay easy to tell apart. */
export const MAX_TIERS = 20;
/** As many as a person can foresee the effect of. */
export const MAX_DEALBREAKERS = 20;
/** Checkout's word for a listing's single fixed price, so no tier may be called that (interface.md, Marketplace and router). */
export const LISTED_TIER_ID = 'listed';

/** A tier as it is kept: every field is set. `price_cents` is USD cents for one `billing` period. */
export interface KeptTier {
  readonly id: string;
  readonly name: string;
  readonly price_cents: number;
  readonly currency: string;
  readonly billing: Billing;
}

export interface Conditions {
  readonly tiers: readonly KeptTier[];
  readonly dealbreakers: readonly string[];
  readonly preferences: readonly Preference[];
  /** Whether its price or budget is no matter for a talk; absent is false. */
  readonly price_firm?: boolean;
}

/** What a caller may send; `weighted_preferences` is the other form of `preferences` (questions.md 43). */
export interface ConditionsInput {
  readonly tiers?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly price_cents: number;
    readonly currency?: string;
    readonly billing?: Billing;
  }[];
  readonly dealbreakers?: readonly string[];
  readonly price_firm?: boolean;
  readonly preferences?: readonly { readonly label: string; readonly weight?: number }[];
  readonly weighted_preferences?: Readonly<Record<string, number>>;
}

export const NO_CONDITIONS: Conditions = { tiers: [], dealbreakers: [], preferences: [] };

// A tier keeps its id across edits, by the id sent or else by its name: purchases and subscriptions name it.
function tiersOf(
  given: NonNullable<ConditionsInput['tiers']>,
  before: readonly KeptTier[],
  newId: () => string,
): readonly KeptTier[] | Fault<'invalid_request'> {
  const tiers: KeptTier[] = [];
  const named = new Set(given.flatMap((tier) => tier.id ?? []));
  for (const [index, tier] of given.entries()) {
    const name = tier.name.trim();
    if (name === '') return invalid({ path: `conditions.tiers.${index}.name`, message: 'Give the tier a name.' });
    const known = before.find((old) => old.name === name && !named.has(old.id) && !tiers.some((t) => t.id === old.id));
    const id = tier.id ?? known?.id ?? newId();
    if (id === LISTED_TIER_ID || tiers.some((other) => other.id === id)) {
      return invalid({
        path: `conditions.tiers.${index}.id`,
        message: 'Each tier needs an id of its own; leave it out.',
      });
    }
    tiers.push({ id, name, price_cents: tier.price_cents, currency: 'USD', billing: tier.billing ?? 'one_time' });
  }
  return tiers;
}

/**
 * The conditions after a write: each part that is given replaces the stored one, the others stay. Fault:
 * `invalid_request` naming the entry. The currency of tiers is checked by `checkCurrency`.
 */
export function readConditions(
  given: ConditionsInput | null | undefined,
  before: Conditions,
  newId: () => string,
): Conditions | Fault<'invalid_request'> {
  if (given === undefined) return before;
  if (given === null) return NO_CONDITIONS;
  const tiers = given.tiers ? tiersOf(given.tiers, before.tiers, newId) : before.tiers;
  if ('fault' in tiers) return tiers;
  const dealbreakers = given.dealbreakers?.map((phrase) => phrase.trim()).filter((phrase) => phrase !== '');
  const weighted = (given.preferences ?? given.weighted_preferences) ? preferencesOf(given) : before;
  if ('fault' in weighted) return weighted;
  const price_firm = given.price_firm ?? before.price_firm ?? false;
  return {
    tiers,
    ...(price_firm && { price_firm }),
    dealbreakers: dealbreakers ? [...new Set(dealbreakers)] : before.dealbreakers,
    preferences: weighted.preferences,
  };
}
