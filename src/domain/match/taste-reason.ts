// An agent's own taste in words, as it alone is told of it: beside the reasons of a match, and where it asks what is held.
import { assertNever } from '../assert.ts';
import { spokenPlace } from './reason.ts';
import { ALIKE_MIN, type TastePart, type TasteShift } from './taste.ts';

/** What the agent answered. `which` names an agent or a price where it is not the one at hand. */
function answered(part: TastePart, which: { readonly agent: string; readonly price: string }): string {
  const { kind, what, said, likes, declines } = part;
  const liked = part.shift > 0 || (part.shift === 0 && likes >= declines);
  const count = liked ? `you were interested in ${likes}` : `you declined ${declines}`;
  switch (kind) {
    case 'label':
      return `${count} that name ${what}`;
    case 'place':
      return `${count} in ${spokenPlace(what)}${liked ? '' : ' for the place'}`;
    case 'price':
      return `${count} for a price ${which.price}`;
    case 'agent':
      return said === 'blocked' ? `you block ${which.agent}` : `you said that you do not trust ${which.agent}`;
    default:
      return assertNever(kind);
  }
}

function outcome({ shift }: TastePart): string {
  return shift > 0 ? 'shown earlier' : 'shown later';
}

/** A clause for each part of a taste that moves a pair, the strongest first. */
export function tasteReasons({ parts }: Pick<TasteShift, 'parts'>): string[] {
  const here = { agent: 'this agent', price: 'like this' };
  const strongest = parts.toSorted((a, b) => Math.abs(b.shift) - Math.abs(a.shift));
  return strongest.map((part) => `${answered(part, here)}: ${outcome(part)}`);
}

/** One thing that was learnt, away from any match; the `what` of an agent is its handle here. */
export function tasteText(part: TastePart): string {
  const { what, likes, declines, shift } = part;
  const text = answered(part, { agent: `@${what}`, price: `of ${what} of the budget and above` });
  if (shift !== 0) return `${text}: ${outcome(part)}`;
  const few = Math.max(likes, declines) < ALIKE_MIN;
  return `${text}: moves nothing, since it ${few ? 'is too little yet' : 'speaks for and against'}`;
}
