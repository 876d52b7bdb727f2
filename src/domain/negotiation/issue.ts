// The issues of a proposal beside its amount: what they are, their values, how a text says them and how they are found in one. Choices are
// ordered by extent, so that each value has a rank, and all issues are bargained over as numbers.

import { type Fault, invalid } from '../fault.ts';
import type { DealSide, Proposed } from './proposal.ts';

/** An issue that is counted. */
interface Counted {
  readonly least: number;
  readonly most: number;
  /** The side that wants more of it, unless its owner says otherwise. */
  readonly more_for: DealSide;
}

/** What a licence lets its buyer do, the narrowest first. */
export const LICENCES = ['personal', 'commercial', 'exclusive', 'full'] as const;
export type Licence = (typeof LICENCES)[number];

/** An issue with named values, the narrowest first. */
interface Chosen extends Pick<Counted, 'more_for'> {
  readonly choices: readonly Licence[];
}

/** Milestones of a deal at most: people can follow no more, and a settlement writes the rows of all. */
export const MILESTONES_MAX = 20;

export const ISSUES = {
  days_to_deliver: { least: 0, most: 3_650, more_for: 'seller' },
  revisions: { least: 0, most: 100, more_for: 'buyer' },
  quantity: { least: 1, most: 1_000_000, more_for: 'buyer' },
  milestones: { least: 1, most: MILESTONES_MAX, more_for: 'buyer' },
  licence: { choices: LICENCES, more_for: 'buyer' },
  warranty_days: { least: 0, most: 3_650, more_for: 'buyer' },
} as const satisfies Readonly<Record<string, Counted | Chosen>>;

export type IssueName = keyof typeof ISSUES;

/** Checked: the keys of the table above. */
export const ISSUE_NAMES = Object.keys(ISSUES) as readonly IssueName[];

/** A value of an issue: a whole number, or a choice. */
export interface Issue {
  readonly issue: IssueName;
  readonly value: number | Licence;
}

/** The rank of a value; null for none of the issue's values. */
export function rankOf(issue: IssueName, value: number | string): number | null {
  const of: Counted | Chosen = ISSUES[issue];
  if ('choices' in of) {
    const rank = of.choices.findIndex((choice) => choice === value);
    return rank < 0 ? null : rank;
  }
  const whole = typeof value === 'number' && Number.isInteger(value) && value >= of.least && value <= of.most;
  return whole ? value : null;
}

/** The value of a rank. */
export function valueAt(issue: IssueName, rank: number): number | Licence {
  const of: Counted | Chosen = ISSUES[issue];
  return 'choices' in of ? (of.choices[rank] ?? rank) : rank;
}

/** What an issue takes, for a message. */
export function takesText(issue: IssueName): string {
  const of: Counted | Chosen = ISSUES[issue];
  return 'choices' in of
    ? `Use one of ${of.choices.join(', ')}.`
    : `Use a whole number from ${of.least} to ${of.most}.`;
}

/** The fault of given issues, or null: each once, with a value of its own. */
export function issuesFault(given: readonly Issue[], parts: number): Fault<'invalid_request'> | null {
  const wrong = given.flatMap(({ issue, value }, n) => {
    const path = `issues.${n}.value`;
    if (rankOf(issue, value) === null) return [{ path, message: takesText(issue) }];
    if (given.findIndex((other) => other.issue === issue) < n) {
      return [{ path: `issues.${n}.issue`, message: 'Name each issue once.' }];
    }
    if (issue === 'milestones' && parts > 0 && value !== parts) {
      return [{ path, message: `The proposal has ${parts} milestones.` }];
    }
    return [];
  });
  return wrong.length > 0 ? invalid(...wrong) : null;
}

/** The given issues in the order of the table. */
export function ordered(given: readonly Issue[]): Issue[] {
  return ISSUE_NAMES.flatMap((name) => given.find(({ issue }) => issue === name) ?? []);
}

/** The equal parts of an amount, as many as the issue `milestones` names, the last with the rest; null where it is not named. */
export function countedParts(amount_cents: number, issues: readonly Issue[]): Proposed[] | null {
  const count = issues.find(({ issue }) => issue === 'milestones')?.value;
  if (typeof count !== 'number') return null;
  const each = Math.floor(amount_cents / count);
  if (count < 2 || each === 0) return [];
  return Array.from({ length: count }, (_, n) => ({
    title: `Part ${n + 1} of ${count}`,
    amount_cents: n === count - 1 ? amount_cents - each * n : each,
  }));
}

const many = (n: number | string, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

const SAID: Readonly<Record<IssueName, (value: number | string) => string>> = {
  days_to_deliver: (n) => `within ${many(n, 'day')}`,
  revisions: (n) => many(n, 'revision'),
  quantity: (n) => `quantity ${n}`,
  milestones: (n) => `in ${many(n, 'milestone')}`,
  licence: (choice) => `${choice} licence`,
  warranty_days: (n) => `${many(n, 'day')} of warranty`,
};

/** Issues as text: `within 5 days, 3 revisions`. */
export function issuesText(given: readonly Issue[]): string {
  return ordered(given)
    .map(({ issue, value }) => SAID[issue](value))
    .join(', ');
}

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };
const SPAN = '(\\d{1,4}) (?:business |working )?(day|week|month|year)s?';

/** Where a text names an issue: the number, and its unit of time if it has one. */
const NAMED: Readonly<Record<IssueName, readonly RegExp[]>> = {
  days_to_deliver: [new RegExp(`\\b(?:within|in|takes|take) ${SPAN}\\b`, 'giu')],
  revisions: [/\b(\d{1,3}) (?:revisions?|rounds? of (?:changes|revisions))\b/giu],
  quantity: [/\bquantity(?: of|:)? (\d{1,7})\b/giu],
  milestones: [/\b(\d{1,2}) milestones?\b/giu],
  licence: [/\b(personal|commercial|exclusive|full) licen[cs]e\b/giu],
  warranty_days: [
    new RegExp(`\\b${SPAN} (?:of )?(?:warranty|guarantee)\\b`, 'giu'),
    new RegExp(`\\b(?:warranty|guarantee) of ${SPAN}\\b`, 'giu'),
  ],
};

/** Characters before a value in which a denial is looked for. */
const BEFORE = 24;
const DENIED = /(?:\b(?:not|never|cannot|without)|n[’']t) (?:\p{L}{1,12} ){0,2}$/iu;

function lastNamed(issue: IssueName, text: string): Issue | null {
  let found: { readonly at: number; readonly rank: number } | null = null;
  for (const expression of NAMED[issue]) {
    for (const match of text.matchAll(expression)) {
      const [, said = '', unit] = match;
      if (DENIED.test(text.slice(Math.max(0, match.index - BEFORE), match.index))) continue;
      const value = issue === 'licence' ? said.toLowerCase() : Number(said) * (DAYS[unit?.toLowerCase() ?? ''] ?? 1);
      const rank = rankOf(issue, value);
      if (rank !== null && (found === null || match.index > found.at)) found = { at: match.index, rank };
    }
  }
  return found && { issue, value: valueAt(issue, found.rank) };
}

/** The issues that a text names, each with its last value; a denied one is none. */
export function issuesNamed(text: string): Issue[] {
  return ISSUE_NAMES.flatMap((issue) => lastNamed(issue, text) ?? []);
}
