// The reasons of a match for the API and tools: one English clause each, the same for both sides.
import { assertNever } from '../assert.ts';
import { moneyText } from '../listing/price.ts';
import { countryName } from '../place/country.ts';
import { placeText } from '../place/spoken.ts';
import type { Reason, ReasonOf } from './reason.ts';

// Countries with a short name in sentences.
const SPOKEN_COUNTRY: Readonly<Record<string, string>> = {
  US: 'the US',
  GB: 'the UK',
  AE: 'the UAE',
  NL: 'the Netherlands',
  PH: 'the Philippines',
};

/** The name of a code or folded city of a GeoNorm in a sentence. */
export function spokenPlace(place: string): string {
  return placeText(place, (code) => SPOKEN_COUNTRY[code] ?? countryName(code) ?? code);
}

function listNames(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

// The names of amounts in the clauses of the API.
const CLAUSE_AMOUNTS = {
  price: ['price', 'budget'],
  pay: ['asked pay', 'budget'],
  ticket: ['ticket', 'round'],
} as const;

function priceClause(reason: ReasonOf<'price_within' | 'price_above'>): string {
  const [amount, limit] = CLAUSE_AMOUNTS[reason.amount];
  const text = (cents: number): string => moneyText({ cents, period: reason.period });
  const [price, budget] = [text(reason.price_cents), text(reason.budget_cents)];
  return reason.code === 'price_above'
    ? `asks ${price}, the ${limit} is ${budget}; neither is firm`
    : `${amount} ${price} is within the ${budget} ${limit}`;
}

function tasteClause({ about, what, answers, liked, blocked, earlier }: ReasonOf<'taste'>): string {
  const moved = earlier ? 'shown earlier' : 'shown later';
  if (about === 'agent') return `${blocked ? 'you block' : 'you said that you do not trust'} this agent: ${moved}`;
  const count = liked ? `you were interested in ${answers}` : `you declined ${answers}`;
  if (about === 'label') return `${count} that name ${what}: ${moved}`;
  if (about === 'price') return `${count} for a price like this: ${moved}`;
  return `${count} in ${spokenPlace(what)}${liked ? '' : ' for the place'}: ${moved}`;
}

const labelNames = ({ labels, more }: ReasonOf<'shared_labels' | 'preferred_labels'>): string =>
  listNames(more > 0 ? [...labels, `${more} more`] : labels);

/** A reason as one English clause. */
export function reasonClause(reason: Reason): string {
  switch (reason.code) {
    case 'shared_labels':
      return `both name ${labelNames(reason)}`;
    case 'preferred_labels':
      return `meets the preference for ${labelNames(reason)}`;
    case 'close_meaning':
      return `the texts are close in meaning (${reason.closeness.toFixed(2)})`;
    case 'shared_words':
      return 'the texts share telling words';
    case 'price_within':
    case 'price_above':
      return priceClause(reason);
    case 'same_place':
      return `both are in ${spokenPlace(reason.place)}`;
    case 'covered_place':
      return `both cover ${spokenPlace(reason.place)}`;
    case 'remote':
      return 'the work can be remote';
    case 'worldwide':
      return 'one side works worldwide';
    case 'both_trusted':
      return `both are well trusted (${reason.trust_score} or more of 100)`;
    case 'both_quick':
      return 'both answer within minutes';
    case 'taste':
      return tasteClause(reason);
    default:
      return assertNever(reason);
  }
}
