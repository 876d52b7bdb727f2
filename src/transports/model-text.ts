// What a model gets to read of a reply. Words of other parties are taken out of it and stand apart, by author, between fence lines
// of a random word, the first of which says that they are no instruction (rules.md 10). Whoever wrote them cannot
// know the word, so that nothing they write ends the fence. Structured content keeps them raw, in their fields.
import type { TSchema } from 'typebox';
import { fenced, fenceWord } from '../domain/text/fence.ts';
import { type Author, holdsWords, replaceWords } from '../schemas/authored.ts';

/** What a block or a part that holds another party's words is marked with (rules.md 10). */
interface OriginMark {
  readonly 'meshwork/origin': 'counterparty';
  readonly 'meshwork/handle'?: string;
}

/** A content block of text as MCP has it. */
export interface ModelText {
  readonly type: 'text';
  readonly text: string;
  readonly _meta?: OriginMark;
}

/** Who reads, and where the fences' words come from. */
interface ModelReader {
  /** The handle of the agent that reads; null for somebody without one. */
  readonly handle: string | null;
  random(bytes: number): Uint8Array;
}

/** The mark of another party's words; one that is not known by a handle is only called another party. */
function originMark(handle: string | undefined): OriginMark {
  const origin = { 'meshwork/origin': 'counterparty' } as const;
  return handle === undefined ? origin : { ...origin, 'meshwork/handle': handle };
}

function nameOf(author: string | undefined): string {
  return author === undefined ? 'another party' : `@${author}`;
}

/**
 * A reply for a model: its JSON, in which every text of another party is a reference, and behind it each party's texts in a
 * fence of their own. `json` is the JSON of the value as it is, used where nothing has to be taken out.
 */
export function modelContent(
  { value, json }: { readonly value: () => unknown; readonly json: string },
  output: TSchema,
  { handle: reader, random }: ModelReader,
): readonly ModelText[] {
  const plain: ModelText = { type: 'text', text: json };
  if (!holdsWords(output)) return [plain];
  const texts = new Map<string | undefined, string[]>();
  let taken = 0;
  const replace = (author: Author, path: string, words: unknown): string | null => {
    if (author === null || (author !== undefined && author === reader)) return null;
    taken += 1;
    const list = texts.get(author) ?? [];
    texts.set(author, list);
    // As JSON a text is one line: whatever it holds, none of it begins a line of its own.
    list.push(`[${taken}] ${path}: ${JSON.stringify(words)}`);
    return `[${taken}: words of ${nameOf(author)}, below]`;
  };
  const rest = replaceWords(output, value(), replace);
  if (taken === 0) return [plain];
  const blocks = [...texts].map(
    ([author, list]): ModelText => ({
      type: 'text',
      text: fenced(nameOf(author), list.join('\n'), fenceWord(random)),
      _meta: originMark(author),
    }),
  );
  return [{ type: 'text', text: JSON.stringify(rest) }, ...blocks];
}
