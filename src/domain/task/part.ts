// What a message of a task is made of: texts, data and files, as the agent-to-agent protocol has them. The rule kept here
// is that a conversation, which knows texts alone, shows of each message what a person can read (rules.md 10).
import { MESSAGE_MAX_BYTES } from '../conversation/conversation.ts';
import { type Fault, invalid } from '../fault.ts';

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface DataPart {
  readonly kind: 'data';
  readonly data: unknown;
}

/** A file that is somewhere, or its bytes in base64; never both. */
export interface FilePart {
  readonly kind: 'file';
  readonly url?: string;
  readonly bytes?: string;
  readonly media_type?: string;
  readonly name?: string;
}

export type Part = TextPart | DataPart | FilePart;

/** Parts of one message: more than anybody writes by hand, and a bound for a program. */
export const PARTS_MAX = 32;
/** Of one message as JSON: the answer to a send shows it, and an answer up to 64 KiB is kept for a repeated send. */
const PARTS_MAX_BYTES = 48 * 1024;
/** So many letters of a data part are shown in a conversation: enough to see what it is. */
const DATA_SHOWN = 2_000;

const ELLIPSIS_BYTES = 3;

const encoder = new TextEncoder();

/** How many bytes a value takes as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

function fileShown({ name, media_type, url }: FilePart): string {
  const what = [name ?? 'file', ...(media_type === undefined ? [] : [`(${media_type})`])].join(' ');
  return url === undefined ? `[${what}]` : `[${what}] ${url}`;
}

function dataShown({ data }: DataPart): string {
  const text = JSON.stringify(data) ?? 'null';
  return text.length > DATA_SHOWN ? `${text.slice(0, DATA_SHOWN).toWellFormed()}…` : text;
}

function partShown(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'data':
      return dataShown(part);
    case 'file':
      return fileShown(part);
  }
}

/** What a conversation holds of parts: their texts, a line break between each; where there is no text, a plain rendering
 * of the rest, cut where it is long. */
export function textOf(parts: readonly Part[]): string {
  const texts = parts.filter((part) => part.kind === 'text' && part.text.trim() !== '');
  if (texts.length > 0) return texts.map(partShown).join('\n');
  return cutToMessage(parts.map(partShown).join('\n'));
}

/** The same of whoever cannot be asked to say it shorter: texts are cut, too. */
export function shownText(parts: readonly Part[]): string {
  return cutToMessage(textOf(parts));
}

function cutToMessage(text: string): string {
  if (text.length <= MESSAGE_MAX_BYTES / 3) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= MESSAGE_MAX_BYTES) return text;
  // A letter that the cut goes through is left out.
  const kept = new TextDecoder().decode(bytes.subarray(0, MESSAGE_MAX_BYTES - ELLIPSIS_BYTES), { stream: true });
  return `${kept}…`;
}

/** The refusal of a message's parts, or null when they are fine; how long their text may be is the conversation's to say. */
export function partsFault(parts: readonly Part[], path = 'parts'): Fault<'invalid_request'> | null {
  const at = parts.findIndex((part) => part.kind === 'file' && (part.url === undefined) === (part.bytes === undefined));
  if (at >= 0) return invalid({ path: `${path}.${at}`, message: 'Give a file its `url` or its `bytes`, one of them.' });
  if (jsonBytes(parts) > PARTS_MAX_BYTES) {
    return invalid({ path, message: `The parts of a message have at most ${PARTS_MAX_BYTES} bytes as JSON.` });
  }
  return null;
}
