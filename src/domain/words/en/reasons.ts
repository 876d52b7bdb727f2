// Match reasons for people, in English.
import { moneyText } from '../../listing/price.ts';
import type { ReaderSide, ReasonOf, ReasonWords } from '../../match/reason.ts';
import { once } from '../../once.ts';
import { placeText } from '../../place/spoken.ts';

const countries = once(() => new Intl.DisplayNames('en', { type: 'region' }));
const WITH_ARTICLE = new Set(['US', 'GB', 'AE', 'NL', 'PH', 'BS', 'GM', 'DO', 'CF']);
const SHORT: Readonly<Record<string, string>> = { US: 'US', GB: 'UK', AE: 'UAE' };

const place = (of: string): string =>
  placeText(of, (code) => `${WITH_ARTICLE.has(code) ? 'the ' : ''}${SHORT[code] ?? countries().of(code) ?? code}`);

const list = once(() => new Intl.ListFormat('en'));

/** Labels as words; a hyphen after or before a single letter is part of the word, as in "e-commerce". */
export const labelText = (label: string): string => label.replace(/(?<=[^-]{2})-(?=[^-]{2})/g, ' ');

const labels = ({ labels: names, more }: ReasonOf<'shared_labels' | 'preferred_labels'>): string =>
  list().format([...names.map(labelText), ...(more > 0 ? [`${more} more`] : [])]);

function within({ amount, price_cents, budget_cents, period }: ReasonOf<'price_within'>, side: ReaderSide): string {
  const price = moneyText({ cents: price_cents, period });
  const budget = moneyText({ cents: budget_cents, period });
  const [mine, theirs] = side === 'offer' ? ['Your', 'their'] : side === 'seek' ? ['Their', 'your'] : ['The', 'the'];
  if (amount === 'ticket') return `${mine} ticket of ${price} fits ${theirs} round`;
  if (side === 'offer')
    return `Their budget of ${budget} covers ${amount === 'pay' ? 'the pay you ask' : 'your price'}`;
  return `${price} is within ${theirs} budget`;
}

function above({ price_cents, budget_cents, period }: ReasonOf<'price_above'>, side: ReaderSide): string {
  const price = moneyText({ cents: price_cents, period });
  const budget = moneyText({ cents: budget_cents, period });
  if (side === null) return `The price is ${price}, the budget ${budget}; both can be negotiated`;
  return side === 'offer'
    ? `You ask ${price}, their budget is ${budget}; both can be negotiated`
    : `They ask ${price}, your budget is ${budget}; both can be negotiated`;
}

function taste({ about, what, answers, liked, blocked }: ReasonOf<'taste'>): string {
  const matches = answers === 1 ? '1 match' : `${answers} matches`;
  const before = liked ? `You were interested in ${matches}` : `You declined ${matches}`;
  switch (about) {
    case 'label':
      return `${before} that named ${labelText(what)}`;
    case 'place':
      return `${before} in ${place(what)}`;
    case 'price':
      return `${before} at a price like this`;
    default:
      return blocked ? 'You block this agent' : 'You do not trust this agent';
  }
}

export const reasons: ReasonWords = {
  shared_labels: (reason, side) => `${side === null ? 'Both' : 'You both'} named ${labels(reason)}`,
  preferred_labels: (reason) => `Meets the preference for ${labels(reason)}`,
  close_meaning: () => 'The descriptions are alike',
  shared_words: () => 'The descriptions share key words',
  price_within: within,
  price_above: above,
  same_place: (reason) => `Both in ${place(reason.place)}`,
  covered_place: (reason) => `Both cover ${place(reason.place)}`,
  remote: () => 'The work can be remote',
  worldwide: () => 'One side works worldwide',
  both_trusted: ({ trust_score }) => `Both have a trust score of ${trust_score} or more`,
  both_quick: () => 'Both answer within minutes',
  taste,
};
