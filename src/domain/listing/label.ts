// Labels: how a listing's words become names of the shared label table (rules.md 5, questions.md 42). A label is
// folded, then resolved through the aliases, on save and on every look-up alike, so that two agents who mean the same
// thing write the same label.

import { type Fault, invalid } from '../fault.ts';
import { hyphenate } from '../text/fold.ts';
import { isVisible } from '../text/visible.ts';
import { LABEL_ALIASES } from './label-aliases.ts';

/** A listing's labels: `1..20`; more would let one listing share a label with everybody. */
export const MAX_LABELS = 20;
/** Of `[a-z0-9-]{1,40}` (questions.md 42). */
export const MAX_LABEL_CHARS = 40;

const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries(LABEL_ALIASES).flatMap(([label, aliases]) => aliases.map((alias) => [alias, label] as const)),
);

/** The label that a text means: folded, then resolved through the aliases; empty when nothing is left of it. */
export function resolveLabel(text: string): string {
  const folded = hyphenate(text);
  return CANONICAL.get(folded) ?? folded;
}

/** The other spellings of a canonical label, for autocomplete. */
function aliasesOf(label: string): readonly string[] {
  return Object.hasOwn(LABEL_ALIASES, label) ? (LABEL_ALIASES[label] ?? []) : [];
}

/**
 * A listing's or query's labels, folded, resolved and without repeats, in the order given. Fault: `invalid_request`
 * naming `path.index` for a label that folds to nothing or is over 40 characters, and `path` for more than 20.
 */
export function foldLabels(list: readonly string[], path = 'labels'): { labels: string[] } | Fault<'invalid_request'> {
  if (list.length > MAX_LABELS) return invalid({ path, message: `Give at most ${MAX_LABELS} labels.` });
  const labels = new Set<string>();
  const problems: { path: string; message: string }[] = [];
  list.forEach((text, index) => {
    // Signs that nobody sees may stand for letters all the same (tags do), and make a label of nothing.
    const label = isVisible(text) ? resolveLabel(text) : '';
    if (label === '') {
      problems.push({ path: `${path}.${index}`, message: 'Nothing is left of this label; use letters or digits.' });
    } else if (label.length > MAX_LABEL_CHARS) {
      problems.push({ path: `${path}.${index}`, message: `A label has at most ${MAX_LABEL_CHARS} characters.` });
    } else labels.add(label);
  });
  return problems.length > 0 ? invalid(...problems) : { labels: [...labels] };
}

/** A known name of the label table; `uses` counts live listings that carry it (or providers that serve it: Q65). */
export interface LabelUse {
  readonly name: string;
  readonly kind: 'label' | 'capability';
  readonly uses: number;
}

// Labels are folded already; names of capabilities may hold dots and underscores.
const FOLDED = /^[a-z0-9-]*$/;

// Smaller is better: exactly it, begins with it, a later word begins with it (or another spelling does), holds it.
function rank(query: string, label: string, name: string): number | null {
  if (name === query || name === label) return 0;
  if (name.startsWith(query)) return 1;
  const folded = FOLDED.test(name) ? name : hyphenate(name);
  if (folded.startsWith(query)) return 1;
  if (folded.includes(`-${query}`)) return 2;
  if (aliasesOf(name).some((alias) => alias.startsWith(query))) return 2;
  return folded.includes(query) ? 3 : null;
}

/**
 * Autocomplete over known names: exact, then prefix, then word prefix, then substring; within a rank the most used
 * first, then by name. An empty query lists the most used.
 */
export function rankLabels(text: string, known: Iterable<LabelUse>, limit: number): LabelUse[] {
  const query = hyphenate(text);
  if (query === '' && text.trim() !== '') return [];
  const label = resolveLabel(text);
  const hits: { use: LabelUse; rank: number }[] = [];
  for (const use of known) {
    const place = query === '' ? 0 : rank(query, label, use.name);
    if (place !== null) hits.push({ use, rank: place });
  }
  hits.sort((a, b) => a.rank - b.rank || b.use.uses - a.use.uses || (a.use.name < b.use.name ? -1 : 1));
  return hits.slice(0, limit).map((hit) => hit.use);
}

/** The canonical labels that a text finds by name or by another spelling, whether or not a listing carries them. */
export function canonicalHits(text: string): string[] {
  const query = hyphenate(text);
  if (query === '') return [];
  const label = resolveLabel(text);
  return Object.keys(LABEL_ALIASES).filter((name) => rank(query, label, name) !== null);
}

/** Whether a label stands in the service's own table. */
export function isTableLabel(label: string): boolean {
  return Object.hasOwn(LABEL_ALIASES, label);
}
