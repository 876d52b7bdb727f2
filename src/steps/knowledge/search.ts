// Finds what an agent knows about a question, by words and by meaning. The agent's own program finds all entries; others find only
// those that its person made public, as if no others existed.
import { knowledgeOfAgent, publicKnowledgeOfAgent } from '../../../db/queries/knowledge.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import {
  answerScore,
  storedCosine,
  TITLE_WEIGHT,
  vectorBytes,
  type Worded,
  wordShares,
} from '../../domain/negotiation/knowledge.ts';
import { terms } from '../../outbound/embedder/built-in.ts';
import { embedsHere, vectorsInTime, vectorsOf } from '../listing/vectors.ts';

const NUMBERS = /\d{2,}/g;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

function split(term: string): string[] {
  if (!SPACELESS.test(term)) return [term];
  const signs = [...term];
  return signs.length < 2 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}

/** The words of a text, repeats kept. */
function knowledgeTerms(text: string): string[] {
  return [...terms(text).flatMap(split), ...(text.match(NUMBERS) ?? [])];
}

interface EntryTerms {
  readonly of_title: readonly string[];
  readonly of_text: readonly string[];
}

/** Splits an entry, once for all that is asked of it. */
function entryTerms({ title, text }: { readonly title: string; readonly text: string }): EntryTerms {
  return { of_title: knowledgeTerms(title), of_text: knowledgeTerms(text) };
}

/** Which words of a question an entry holds, and how often. */
function wordedBy(asked: ReadonlySet<string>, { of_title, of_text }: EntryTerms): Worded {
  const hits = new Map<string, number>();
  const note = (words: readonly string[], weight: number): void => {
    for (const word of words) if (asked.has(word)) hits.set(word, (hits.get(word) ?? 0) + weight);
  };
  note(of_title, TITLE_WEIGHT);
  note(of_text, 1);
  return { hits, length: of_title.length + of_text.length };
}

type Entry = Row<'knowledge'>;

/** Entries read and split before other requests run: at most 200,000 characters, some milliseconds of work. */
const SLICE = 10;
/** The wait for an outside embedder; the word search answers at once. */
const WAIT_MS = 3_000;

/** An entry with how well it answers, above 0 and up to 1. */
export interface FoundKnowledge {
  readonly entry: Entry;
  readonly score: number;
  /** Whether its meaning was compared too, and not its words alone. */
  readonly by_meaning: boolean;
}

/** A question's vector in the entries' format, and the cosine below which closeness means nothing. */
export interface Meaning {
  readonly model: string;
  readonly vector: Uint8Array;
  readonly floor: number;
}

/** A question, and the number of wanted answers. */
export interface Asked {
  readonly question: string;
  /** Null ranks by words alone. */
  readonly meaning: Meaning | null;
  readonly limit: number;
}

/** The vectors of questions, in order; null where the embedder did not answer in time. */
export async function meaningsOf(
  ports: Pick<FlowPorts, 'embedder' | 'tasks'>,
  questions: readonly string[],
): Promise<(Meaning | null)[]> {
  const made = await (embedsHere(ports) ? vectorsOf(ports, questions) : vectorsInTime(ports, questions, WAIT_MS));
  const { model, closeness_floor: floor } = ports.embedder;
  return questions.map((_, at) => {
    const vector = made?.[at];
    return vector ? { model, floor, vector: vectorBytes(vector) } : null;
  });
}

type Slice = (before: string) => Promise<readonly Entry[]>;

/** An entry, and how it is worded by each of the questions. */
interface WordedEntry {
  readonly entry: Entry;
  readonly worded: readonly Worded[];
}

/** The entries that a reader of slices gives, each read and split once for all questions. */
async function readWorded(slice: Slice, questions: readonly ReadonlySet<string>[]): Promise<WordedEntry[]> {
  const found: WordedEntry[] = [];
  for (let before: string | undefined = HIGHEST_ID; before !== undefined; ) {
    const rows: readonly Entry[] = await slice(before);
    for (const entry of rows) {
      const terms = entryTerms(entry);
      found.push({ entry, worded: questions.map((asked) => wordedBy(asked, terms)) });
    }
    before = rows.length === SLICE ? rows.at(-1)?.id : undefined;
    if (before !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

/** The cosine of an entry and a question; null where another model made the entry's vector, or none has yet. */
function cosineWith({ model, vector }: Entry, meaning: Meaning | null): number | null {
  return meaning && vector && model === meaning.model ? storedCosine(vector, meaning.vector) : null;
}

const NOT_WORDED: Worded = { hits: new Map(), length: 0 };

/** The best entries for each question, in order. */
async function rank(slice: Slice, asked: readonly Asked[]): Promise<FoundKnowledge[][]> {
  const terms = asked.map(({ question }) => new Set(knowledgeTerms(question)));
  const read = await readWorded(slice, terms);
  return asked.map(({ meaning, limit }, which) => {
    const wordings = read.map(({ worded }) => worded[which] ?? NOT_WORDED);
    const shares = wordShares(terms[which] ?? new Set(), wordings);
    return read
      .map(({ entry }, at): FoundKnowledge => {
        const cosine = cosineWith(entry, meaning);
        return { entry, score: answerScore(shares[at] ?? 0, cosine, meaning?.floor ?? 0), by_meaning: cosine !== null };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? 1 : -1))
      .slice(0, limit);
  });
}

/** The best of all that an agent knows for each question, for its own side alone. */
export function ownKnowledge(read: Read, agent_id: string, asked: readonly Asked[]): Promise<FoundKnowledge[][]> {
  return rank((before) => read.peek(knowledgeOfAgent, { agent_id, before, limit: SLICE }), asked);
}

/** The best public entries of an agent for each question. Private entries neither appear nor change the scores. */
export function publicKnowledge(read: Read, agent_id: string, asked: readonly Asked[]): Promise<FoundKnowledge[][]> {
  return rank((before) => read.peek(publicKnowledgeOfAgent, { agent_id, before, limit: SLICE }), asked);
}
