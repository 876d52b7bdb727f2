// Splits what agents know, and what is asked of it, into the words that are compared: stems as everywhere, numbers, since people
// ask for those too, and pairs of signs where a script sets no spaces between its words.
import { TITLE_WEIGHT, type Worded } from '../../domain/negotiation/knowledge.ts';
import { terms } from '../../outbound/embedder/words.ts';

const NUMBERS = /\d{2,}/g;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

function split(term: string): string[] {
  if (!SPACELESS.test(term)) return [term];
  const signs = [...term];
  return signs.length < 2 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}

/** The words of a text, repeats kept. */
export function knowledgeTerms(text: string): string[] {
  return [...terms(text).flatMap(split), ...(text.match(NUMBERS) ?? [])];
}

export interface EntryTerms {
  readonly of_title: readonly string[];
  readonly of_text: readonly string[];
}

/** Splits an entry, once for all that is asked of it. */
export function entryTerms({ title, text }: { readonly title: string; readonly text: string }): EntryTerms {
  return { of_title: knowledgeTerms(title), of_text: knowledgeTerms(text) };
}

/** Which words of a question an entry holds, and how often. */
export function wordedBy(asked: ReadonlySet<string>, { of_title, of_text }: EntryTerms): Worded {
  const hits = new Map<string, number>();
  const note = (words: readonly string[], weight: number): void => {
    for (const word of words) if (asked.has(word)) hits.set(word, (hits.get(word) ?? 0) + weight);
  };
  note(of_title, TITLE_WEIGHT);
  note(of_text, 1);
  return { hits, length: of_title.length + of_text.length };
}
