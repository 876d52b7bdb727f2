// The corpora of scoped disclosure: what people write to get contact details past the rules, and what only looks like it, each judged as an
// agent's listing or profile. `seen`, `unseen` and `own` were known while rules were written, `fresh` was not; `plain` and `varied` hold
// harmless texts alone: figures in a row, networks and mail hosts as a subject, goods, hours, versions.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { disclosuresIn, handleFault, readTogether } from '../../src/domain/disclosure/disclosure.ts';

const FOLDER = join(import.meta.dir, '../corpora/disclosure');

export const HALVES = ['seen', 'unseen', 'own', 'fresh', 'plain', 'varied'] as const;
export type Half = (typeof HALVES)[number];

export interface Example {
  readonly id: string;
  readonly kind: string;
  readonly lang: string;
  readonly input: {
    readonly handle?: string;
    readonly display_name?: string;
    readonly headline?: string;
    readonly description?: string;
    readonly labels?: readonly string[];
    readonly offers?: readonly string[];
  };
}

/** The examples of a half, one JSON a line; null when it is not here. */
export function examples(what: 'evasions' | 'harmless', half: Half): Example[] | null {
  const path = join(FOLDER, `${what}-${half}.jsonl`);
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // The corpus's own lines have this shape.
  return lines.map((line) => JSON.parse(line) as Example);
}

export type Judgement = 'refused' | 'held' | 'passed';

/** What becomes of an example. Only a listing can be held: a handle, a name or a profile's offers are refused or not. */
export function judge({ input }: Example): Judgement {
  const { handle, labels = [], offers = [] } = input;
  const plain = (['handle', 'display_name', 'headline', 'description'] as const).flatMap((field) => {
    const text = input[field];
    return text ? [{ field, text }] : [];
  });
  const listed = [
    ...labels.map((text, at) => ({ field: `labels.${at}`, text })),
    ...offers.map((text, at) => ({ field: `offers.${at}`, text })),
  ];
  const texts = [...plain, ...listed];
  if (handle && handleFault(handle)) return 'refused';
  if (texts.some(({ text }) => disclosuresIn(text).length > 0)) return 'refused';
  const { sure, doubted } = readTogether(texts);
  if (sure.length > 0) return 'refused';
  const listing = input.description !== undefined || (input.headline !== undefined && offers.length === 0);
  return listing && doubted.length > 0 ? 'held' : 'passed';
}

/** How many of each kind were refused, held and passed, as lines of a table. */
export function table(all: readonly Example[]): string {
  const kinds = Map.groupBy(all, ({ kind }) => kind);
  const rows = [...kinds].sort().map(([kind, some]) => {
    const count = (wanted: Judgement): string => `${some.filter((one) => judge(one) === wanted).length}`.padStart(8);
    return `${kind.padEnd(36)}${`${some.length}`.padStart(6)}${count('refused')}${count('held')}${count('passed')}`;
  });
  return [`${'kind'.padEnd(36)}   all refused    held  passed`, ...rows].join('\n');
}
