// Turns synsets and glossary lines into documents: how much each stem belongs to each meaning. A synset's own words
// count most, then its definition; words of near synsets are added, since a definition alone is often six words long.

import { terms } from '../../src/outbound/embedder/built-in.ts';
import type { Synset } from './wordnet.ts';

export type Document = ReadonlyMap<string, number>;

const OWN_WORD = 2;
const DEFINITION = 1;
const EXAMPLE = 0.3;
/** By the first character of WordNet's pointer symbols; other relations (parts, opposites, members) added only noise. */
const NEIGHBOUR: Readonly<Record<string, number>> = {
  '+': 1, // derived form: "engineer" and "engineering"
  ';': 1, // the domain that it belongs to: "law", "computer science"
  '&': 0.5, // similar adjective
  '@': 0.5, // the more general meaning
};

function add(document: Map<string, number>, stems: Iterable<string>, amount: number): void {
  for (const stem of stems) document.set(stem, (document.get(stem) ?? 0) + amount);
}

/** One document a synset, in their order. */
export function synsetDocuments(synsets: ReadonlyMap<string, Synset>): Document[] {
  const own = new Map<string, string[]>();
  for (const [id, synset] of synsets) own.set(id, synset.words.flatMap(terms));
  return Array.from(synsets, ([id, synset]) => {
    const document = new Map<string, number>();
    add(document, own.get(id) ?? [], OWN_WORD);
    add(document, terms(synset.definition), DEFINITION);
    add(document, terms(synset.examples), EXAMPLE);
    for (const { type, target } of synset.pointers) {
      const amount = NEIGHBOUR[type.charAt(0)];
      if (amount !== undefined) add(document, new Set(own.get(target)), amount);
    }
    return document;
  });
}

/** The terms that a glossary explains: its lines are `term, other spelling: words that explain it`; # is a comment. */
export function glossaryLines(text: string): { names: string; meaning: string }[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) throw new Error(`A glossary line has no colon: ${line}`);
      return { names: line.slice(0, colon), meaning: line.slice(colon + 1) };
    });
}

/** One document a glossary line, in their order. */
export function glossaryDocuments(text: string): Document[] {
  return glossaryLines(text).map(({ names, meaning }) => {
    const document = new Map<string, number>();
    add(document, terms(names), OWN_WORD);
    add(document, terms(meaning), DEFINITION);
    return document;
  });
}
