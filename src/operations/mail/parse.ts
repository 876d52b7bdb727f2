// A raw mail as the little that the service wants of it. Nesting, heads and nested letters are bounded before anything is
// decoded, and what is attached is counted and left where it is.
import type { Address, Email } from 'postal-mime';
import type { MailHeader } from '../../domain/automatic-mail.ts';
import { parseEmail } from '../../domain/email.ts';
import { isFault } from '../../domain/fault.ts';
import { ownText } from '../../domain/reply-text.ts';
import { htmlText } from './html-text.ts';

export interface ParsedMail {
  readonly headers: readonly MailHeader[];
  /** The author's address, folded as accounts' are; null unless the mail has exactly one author. */
  readonly from: string | null;
  /** All addresses that the mail says it is for. */
  readonly recipients: readonly string[];
  readonly message_id: string | null;
  /** The ids of the letters that this one answers, the nearest first. */
  readonly answers: readonly string[];
  readonly attachments: number;
  /** What its author wrote; looked for only when it is asked for. */
  text(): string;
}

/** Real mail nests less than ten deep; a bomb of ten thousand is refused before it costs anything. */
const NESTING_MAX = 32;
/** Of all parts together. A head of 256 KiB holds every chain of hops and signatures. */
const HEADERS_MAX = 262_144;
/** The parser looks at each line and keeps each part: 10 MiB of attachments are 140,000 lines, and nobody sends so many
 * parts (measured: 900,000 of them took seconds). */
const LINES_MAX = 400_000;
const PARTS_MAX = 10_000;
/** Long threads name all their letters; ours are among the nearest. */
const ANSWERS_MAX = 32;
const RECIPIENTS_MAX = 100;
const DASH = 45;

function flat(addresses: readonly Address[] | undefined): string[] {
  return (addresses ?? []).flatMap((each) =>
    each.group ? each.group.map(({ address }) => address) : [each.address ?? ''],
  );
}

/** Two From headers, or two addresses in one, have no single author: whose word it is cannot be told. */
function authorOf(mail: Email): string | null {
  if (mail.headers.filter(({ key }) => key === 'from').length !== 1 || !mail.from || mail.from.group) return null;
  const named = mail.headers.find(({ key }) => key === 'from')?.value ?? '';
  const folded = parseEmail(mail.from.address);
  // A comma outside quotes and comments is a list; the parser would show its first address alone.
  const listed = named.replace(/"(?:[^"\\]|\\.)*"|\([^()]*\)/g, '').includes(',');
  return isFault(folded) || listed ? null : folded;
}

function idsIn(text: string | undefined): string[] {
  return (text?.slice(0, 16_384).match(/<[^<>\s]{1,400}>/g) ?? []).slice(-ANSWERS_MAX);
}

/** Where mail systems write to whom they really delivered. */
const DELIVERY_HEADERS: ReadonlySet<string> = new Set([
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
]);

function recipientsOf(mail: Email): string[] {
  const delivered = mail.headers.filter(({ key }) => DELIVERY_HEADERS.has(key)).map(({ value }) => value.trim());
  return [...delivered, ...flat(mail.to), ...flat(mail.cc)]
    .map((address) => address.replace(/^<|>$/g, ''))
    .slice(0, RECIPIENTS_MAX);
}

/** Whether a mail has more lines, or more that could begin a part, than the parser should meet. */
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

/** Parses a mail; null for what cannot be read as one. */
export async function parseMail(raw: Buffer): Promise<ParsedMail | null> {
  if (isBomb(raw)) return null;
  const { default: PostalMime } = await import('postal-mime');
  const options = { maxNestingDepth: NESTING_MAX, maxHeadersSize: HEADERS_MAX, maxRfc822NestingDepth: 0 };
  const mail = await PostalMime.parse(raw, options).catch(() => null);
  if (!mail || mail.headers.length === 0) return null;
  return {
    headers: mail.headers,
    from: authorOf(mail),
    recipients: recipientsOf(mail),
    message_id: idsIn(mail.messageId)[0] ?? null,
    answers: [...idsIn(mail.inReplyTo), ...idsIn(mail.references).reverse()].slice(0, ANSWERS_MAX),
    attachments: mail.attachments.length,
    text: () => {
      const plain = ownText(mail.text ?? '');
      return plain !== '' || !mail.html ? plain : ownText(htmlText(mail.html));
    },
  };
}
