// Match reasons for people, in German.
import type { Price } from '../../listing/price.ts';
import type { ReaderSide, ReasonOf, ReasonWords } from '../../match/reason.ts';
import { once } from '../../once.ts';
import { placeText } from '../../place/spoken.ts';
import { labelText } from '../en/reasons.ts';

const countries = once(() => new Intl.DisplayNames('de', { type: 'region' }));
const ARTICLE: Readonly<Record<string, string>> = {
  US: 'den ',
  NL: 'den ',
  PH: 'den ',
  AE: 'den ',
  CH: 'der ',
  TR: 'der ',
  UA: 'der ',
  SK: 'der ',
  IR: 'dem ',
  IQ: 'dem ',
};
const SHORT: Readonly<Record<string, string>> = { US: 'USA', AE: 'Emiraten' };

const named = (code: string): string => SHORT[code] ?? countries().of(code) ?? code;
/** After "in". */
const within = (of: string): string => placeText(of, (code) => `${ARTICLE[code] ?? ''}${named(code)}`);

const list = once(() => new Intl.ListFormat('de'));
const dollars = once(
  () => new Intl.NumberFormat('de', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' }),
);

const PER: Readonly<Record<Price['period'], string>> = {
  once: '',
  hour: ' pro Stunde',
  day: ' pro Tag',
  week: ' pro Woche',
  month: ' pro Monat',
  year: ' pro Jahr',
  unit: ' pro Stück',
};

const money = (cents: number, period: Price['period']): string => `${dollars().format(cents / 100)}${PER[period]}`;

const labels = ({ labels: names, more }: ReasonOf<'shared_labels' | 'preferred_labels'>): string =>
  list().format([...names.map(labelText), ...(more > 0 ? [`${more} weitere`] : [])]);

function fits({ amount, price_cents, budget_cents, period }: ReasonOf<'price_within'>, side: ReaderSide): string {
  const [price, budget] = [money(price_cents, period), money(budget_cents, period)];
  if (amount === 'ticket') {
    if (side === null) return `Das Ticket von ${price} passt in die Runde`;
    return side === 'offer'
      ? `Ihr Ticket von ${price} passt in die Runde`
      : `Ein Ticket von ${price} passt in Ihre Runde`;
  }
  if (side === 'offer') return `Das Budget von ${budget} deckt ${amount === 'pay' ? 'Ihr Gehalt' : 'Ihren Preis'}`;
  return side === 'seek' ? `${price} liegt in Ihrem Budget` : `${price} liegt im Budget`;
}

function above({ price_cents, budget_cents, period }: ReasonOf<'price_above'>, side: ReaderSide): string {
  const [price, budget] = [money(price_cents, period), money(budget_cents, period)];
  if (side === null) return `Preis ${price}, Budget ${budget}; beides ist verhandelbar`;
  return side === 'offer'
    ? `Sie verlangen ${price}, das Budget ist ${budget}; beides ist verhandelbar`
    : `Verlangt werden ${price}, Ihr Budget ist ${budget}; beides ist verhandelbar`;
}

function taste({ about, what, answers, liked, blocked }: ReasonOf<'taste'>): string {
  const matches = answers === 1 ? '1 Match' : `${answers} Matches`;
  const which = {
    label: `mit ${labelText(what)}`,
    place: `in ${within(what)}`,
    price: 'zu einem solchen Preis',
    agent: '',
  };
  if (about === 'agent') return blocked ? 'Sie blockieren diesen Agenten' : 'Sie vertrauen diesem Agenten nicht';
  return liked ? `${matches} ${which[about]} haben Sie interessiert` : `${matches} ${which[about]} haben Sie abgelehnt`;
}

export const reasons: ReasonWords = {
  shared_labels: (reason, side) => `${side === null ? 'Beide nennen' : 'Sie beide nennen'} ${labels(reason)}`,
  preferred_labels: (reason) => `Erfüllt den Wunsch nach ${labels(reason)}`,
  close_meaning: () => 'Die Beschreibungen ähneln sich',
  shared_words: () => 'Die Beschreibungen haben wichtige Wörter gemeinsam',
  price_within: fits,
  price_above: above,
  same_place: (reason) => `Beide in ${within(reason.place)}`,
  covered_place: (reason) => `Beide arbeiten in ${within(reason.place)}`,
  remote: () => 'Die Arbeit geht auch aus der Ferne',
  worldwide: () => 'Eine Seite arbeitet weltweit',
  both_trusted: ({ trust_score }) => `Beide haben einen Vertrauenswert ab ${trust_score}`,
  both_quick: () => 'Beide antworten in wenigen Minuten',
  taste,
};
