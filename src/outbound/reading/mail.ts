// Parses a raw mail for the fields that the service needs, in a thread of its own (`reading-worker.ts`). Nesting, headers and
// nested messages are bounded before anything is decoded; attachments are counted and not decoded.

import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Address, Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import { isFault } from '../../domain/fault.ts';
import type { MailHeader } from '../../domain/mail/automatic.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { replyTokensIn, withoutAddresses } from '../../domain/mail/mailbox.ts';
import { sha256Hex } from '../hash.ts';
import { ownText } from './reply-text.ts';

// The text of an HTML mail, without quotations and signatures. The tree is walked with an explicit stack, because its nesting
// may exceed the call stack.

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Far above a person's text; parsing takes more than linear time on malformed markup. */
const HTML_MAX = 131_072;

const SILENT: ReadonlySet<string> = new Set([
  ...['head', 'script', 'style', 'title', 'template', 'noscript', 'object', 'svg', 'math', 'select', 'textarea'],
  // Quotations: mail programs use this, or mark them as below.
  'blockquote',
]);
const BLOCKS: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'center', 'dd', 'div', 'dl', 'dt', 'figure', 'footer', 'form', 'h1', 'h2', 'h3'],
  ...['h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'ol', 'pre', 'section', 'table', 'tr', 'ul'],
]);
/** Class names and ids of quotations and signatures. */
const MARKED =
  /(?:^|\s)(?:(?:x_)?gmail_(?:quote|attr|signature)\S*|yahoo_quoted\S*|moz-(?:cite-prefix|signature)|protonmail_(?:quote|signature)\S*|tutanota_quote|zmail_extra\S*|mail-(?:quote|signature)|OutlookMessageHeader|ms-outlook-mobile-signature|apple-mail-signature|iCloud-signature)(?:\s|$)/i;
/** The quoted message follows one of these. */
const CUT =
  /(?:^|\s)(?:x_)?(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|reply-intro)(?:\s|$)/i;

function marks(element: Element): string {
  return element.attrs
    .filter(({ name }) => name === 'class' || name === 'id')
    .map(({ value }) => value)
    .join(' ');
}

/** A required line break: 1 ends a line, 2 leaves one empty. As in a browser's `innerText`, several at one place count as
 * the largest of them. */
type Break = 1 | 2;
/** A step of the walk: a node to enter, or the text or break at the end of one. */
type Step = Node | string | Break;

function enter(element: Element, out: (string | Break)[], stack: Step[]): 'go' | 'skip' | 'stop' {
  const { tagName } = element;
  const marked = marks(element);
  if (CUT.test(marked)) return 'stop';
  if (SILENT.has(tagName) || MARKED.test(marked)) return 'skip';
  if (tagName === 'br') out.push('\n');
  if (tagName === 'td' || tagName === 'th') stack.push(' ');
  const broken: Break | null = tagName === 'p' ? 2 : BLOCKS.has(tagName) ? 1 : null;
  if (broken !== null) {
    out.push(broken);
    stack.push(broken);
  }
  if (tagName === 'li') out.push('- ');
  return 'go';
}

/** Rendered text: blanks between line breaks are collapsed. */
function shownText(pieces: readonly (string | Break)[]): string {
  const kept: string[] = [];
  let due = 0;
  let ended = 0;
  for (const piece of pieces) {
    if (typeof piece === 'number') due = Math.max(due, piece);
    // Blanks at the beginning of a line are not rendered.
    if (typeof piece === 'number' || (due > ended && piece === ' ')) continue;
    if (due > ended) kept.push('\n'.repeat(due - ended));
    kept.push(piece);
    ended = piece === '\n' ? Math.max(ended, due) + 1 : 0;
    due = 0;
  }
  return kept
    .join('')
    .split('\n')
    .map((line) => line.replace(/[ \t\r\f\u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The text that a reader would see in the part of an HTML mail that its author wrote. */
export function htmlText(html: string): string {
  const out: (string | Break)[] = [];
  const stack: Step[] = [parse(html.slice(0, HTML_MAX))];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string' || typeof step === 'number') {
      out.push(step);
      continue;
    }
    if (step.nodeName === '#text' && 'value' in step) {
      out.push(step.value.replace(/[\t\n\r\f ]+/g, ' '));
      continue;
    }
    if ('tagName' in step) {
      const what = enter(step, out, stack);
      if (what === 'stop') break;
      if (what === 'skip') continue;
    }
    if (!('childNodes' in step)) continue;
    for (let at = step.childNodes.length - 1; at >= 0; at--) {
      const child = step.childNodes[at];
      if (child) stack.push(child);
    }
  }
  return shownText(out);
}

export interface ParsedMail {
  readonly headers: readonly MailHeader[];
  /** The author's address, normalised as for accounts; null unless the mail has exactly one author. */
  readonly from: string | null;
  /** All recipient addresses in the headers. */
  readonly recipients: readonly string[];
  readonly message_id: string | null;
  /** The ids of the messages that this one answers, the nearest first. */
  readonly answers: readonly string[];
  readonly attachments: number;
  /** The author's own text, without their address and without reply addresses. */
  readonly text: string;
  /** The tokens of the reply addresses that were removed from it. */
  readonly tokens: readonly string[];
  /** Of the whole mail, in hexadecimal. */
  readonly sha256: string;
}

/** Real mail nests less than ten deep; a bomb of ten thousand is refused before it costs anything. */
const NESTING_MAX = 32;
/** Of all parts together. 256 KiB hold every real chain of hops and signatures. */
const HEADERS_MAX = 262_144;
/** The parser reads each line and keeps each part: 10 MiB of attachments are 140,000 lines, and real mail has few parts
 * (measured: 900,000 parts took seconds). */
const LINES_MAX = 400_000;
const PARTS_MAX = 10_000;
/** A name of any length and an address of 254 characters. */
const FROM_MAX = 4_096;
/** Long threads name all their messages; ours are among the nearest. */
const ANSWERS_MAX = 32;
const RECIPIENTS_MAX = 100;
const DASH = 45;

function flatAddresses(addresses: readonly Address[] | undefined): string[] {
  return (addresses ?? []).flatMap((each) =>
    each.group ? each.group.map(({ address }) => address) : [each.address ?? ''],
  );
}

/** Null for two From headers, or two addresses in one, which name no single author. */
function authorOf(mail: Email): string | null {
  if (mail.headers.filter(({ key }) => key === 'from').length !== 1 || !mail.from || mail.from.group) return null;
  const named = mail.headers.find(({ key }) => key === 'from')?.value ?? '';
  const folded = parseEmail(mail.from.address);
  // The parser returns only the first address of a list.
  return isFault(folded) || isList(named) ? null : folded;
}

/** The end of a quoted string from its start; -1 when it is not closed. */
function endOfQuote(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') return at;
    if (sign === '\\') at += 1;
  }
  return -1;
}

/** The end of a comment from its start; the start itself when another begins first, or it is not closed. */
function endOfComment(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text.charAt(at) === ')') return at;
    if (text.charAt(at) === '(') return from;
  }
  return from;
}

/** Whether there is a comma outside of quotes and comments. Reads each character at most twice. */
function isList(named: string): boolean {
  let quotes = true;
  for (let at = 0; at < named.length; at++) {
    const sign = named.charAt(at);
    if (sign === ',') return true;
    if (sign === '(') at = endOfComment(named, at);
    if (sign !== '"' || !quotes) continue;
    const end = endOfQuote(named, at);
    // An unclosed one is no quote, and neither are later quote characters.
    quotes = end >= 0;
    if (quotes) at = end;
  }
  return false;
}

function idsIn(text: string | undefined): string[] {
  return (text?.slice(0, 16_384).match(/<[^<>\s]{1,400}>/g) ?? []).slice(-ANSWERS_MAX);
}

/** Headers in which mail systems write the actual recipient. */
const DELIVERY_HEADERS: ReadonlySet<string> = new Set([
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
]);

function recipientsOf(mail: Email): string[] {
  const delivered = mail.headers.filter(({ key }) => DELIVERY_HEADERS.has(key)).map(({ value }) => value.trim());
  return [...delivered, ...flatAddresses(mail.to), ...flatAddresses(mail.cc)]
    .map((address) => address.replace(/^<|>$/g, ''))
    .slice(0, RECIPIENTS_MAX);
}

/** Whether a mail has too many lines, or too many lines that could begin a part, for the parser. */
function isBomb(raw: Buffer): boolean {
  let lines = 0;
  let parts = 0;
  for (let at = raw.indexOf(10); at >= 0; at = raw.indexOf(10, at + 1)) {
    lines += 1;
    if (raw[at + 1] === DASH && raw[at + 2] === DASH) parts += 1;
    if (lines > LINES_MAX || parts > PARTS_MAX) return true;
  }
  return false;
}

function textOf(mail: Email, mail_domain: string): string {
  const plain = ownText(mail.text ?? '', mail_domain);
  return plain !== '' || !mail.html ? plain : ownText(htmlText(mail.html), mail_domain);
}

interface Field {
  readonly parsed: { readonly value: string; readonly params: Readonly<Record<string, string>> };
}

/** The library's parser, changed to treat a text part with a file name as an attachment. */
class MailParser extends PostalMime {
  /** Overrides the library's method, which its types leave out. */
  isInlineTextNode({ contentDisposition, contentType }: { contentDisposition: Field; contentType: Field }): boolean {
    const { value, params } = contentDisposition.parsed;
    const named = params['filename'] ?? contentType.parsed.params['name'];
    const shown = contentType.parsed.value === 'text/plain' || contentType.parsed.value === 'text/html';
    return shown && value !== 'attachment' && named === undefined;
  }
}

/** Whether the From header is too long: the library needs quadratic time for it. */
function isVerbose(raw: Buffer): boolean {
  const head = raw.subarray(0, HEADERS_MAX).toString('latin1');
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length;
  let chars = 0;
  let from = false;
  for (const line of head.slice(0, end).split('\n')) {
    const folded = line.startsWith(' ') || line.startsWith('\t');
    from = folded ? from : /^from\s{0,9}:/i.test(line);
    chars += from ? line.length : 0;
  }
  return chars > FROM_MAX;
}

/** Parses a mail; null for an invalid one. */
export async function parseMail(raw: Buffer, mail_domain: string): Promise<ParsedMail | null> {
  if (isBomb(raw) || isVerbose(raw)) return null;
  const options = { maxNestingDepth: NESTING_MAX, maxHeadersSize: HEADERS_MAX, maxRfc822NestingDepth: 0 };
  const mail = await new MailParser(options).parse(raw).catch(() => null);
  if (!mail || mail.headers.length === 0) return null;
  const from = authorOf(mail);
  const own = textOf(mail, mail_domain);
  return {
    headers: mail.headers,
    from,
    recipients: recipientsOf(mail),
    message_id: idsIn(mail.messageId)[0] ?? null,
    answers: [...idsIn(mail.inReplyTo), ...idsIn(mail.references).reverse()].slice(0, ANSWERS_MAX),
    attachments: mail.attachments.length,
    text: withoutAddresses(own, from),
    tokens: replyTokensIn(own),
    sha256: sha256Hex(raw),
  };
}
