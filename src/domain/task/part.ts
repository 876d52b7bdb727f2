// The parts of a task's message: texts, data and files, as in the agent-to-agent protocol. A conversation holds text only,
// so it shows the readable content of each message (rules.md 10).
import { MESSAGE_MAX_BYTES } from '../conversation/conversation.ts';
import { type Fault, invalid } from '../fault.ts';
import { bidText, readBid } from '../negotiation/bid.ts';

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface DataPart {
  readonly kind: 'data';
  readonly data: unknown;
}

/** A file by URL, or its bytes in base64; never both. */
export interface FilePart {
  readonly kind: 'file';
  readonly url?: string;
  readonly bytes?: string;
  readonly media_type?: string;
  readonly name?: string;
}

export type Part = TextPart | DataPart | FilePart;

/** Parts of one message: more than people write by hand, and a limit for programs. */
export const PARTS_MAX = 32;
/** The size of one message as JSON: the answer to a send contains it, and answers up to 64 KiB are stored for repeated sends. */
const PARTS_MAX_BYTES = 48 * 1024;
/** Characters of a data part shown in a conversation: enough to recognise it. */
const DATA_SHOWN = 2_000;

const ELLIPSIS_BYTES = 3;

const encoder = new TextEncoder();

/** The size of a value as JSON in UTF-8 bytes. */
export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

function fileShown({ name, media_type, url }: FilePart): string {
  const what = [name ?? 'file', ...(media_type === undefined ? [] : [`(${media_type})`])].join(' ');
  return url === undefined ? `[${what}]` : `[${what}] ${url}`;
}

function dataShown({ data }: DataPart): string {
  // Negotiators read words.
  const bid = readBid(data);
  if (bid) return bidText(bid);
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

/** The text of parts for a conversation: their texts, separated by line breaks; without texts, a plain rendering of the rest, shortened. */
export function textOf(parts: readonly Part[]): string {
  const texts = parts.filter((part) => part.kind === 'text' && part.text.trim() !== '');
  if (texts.length > 0) return texts.map(partShown).join('\n');
  return cutToMessage(parts.map(partShown).join('\n'));
}

/** The same with texts shortened too, for senders that cannot be asked for a shorter message. */
export function shownText(parts: readonly Part[]): string {
  return cutToMessage(textOf(parts));
}

function cutToMessage(text: string): string {
  if (text.length <= MESSAGE_MAX_BYTES / 3) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= MESSAGE_MAX_BYTES) return text;
  // A character that would be cut in two is left out.
  const kept = new TextDecoder().decode(bytes.subarray(0, MESSAGE_MAX_BYTES - ELLIPSIS_BYTES), { stream: true });
  return `${kept}…`;
}

/** The fault of a message's parts, or null; the conversation checks the length of their text. */
export function partsFault(parts: readonly Part[], path = 'parts'): Fault<'invalid_request'> | null {
  const at = parts.findIndex((part) => part.kind === 'file' && (part.url === undefined) === (part.bytes === undefined));
  if (at >= 0) return invalid({ path: `${path}.${at}`, message: 'Give a file its `url` or its `bytes`, one of them.' });
  if (jsonBytes(parts) > PARTS_MAX_BYTES) {
    return invalid({ path, message: `The parts of a message have at most ${PARTS_MAX_BYTES} bytes as JSON.` });
  }
  return null;
}
