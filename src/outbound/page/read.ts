// Reads an untrusted page: its title, its links, its directives for robots. Only parse5's tokenizer is used, which takes linear
// time; building a tree can take quadratic time. It is fed in slices with turns of the event loop between them, so that no
// page blocks the service.
import type { Token, Tokenizer, TokenizerMode } from 'parse5';

/** Characters between two reads of the clock. */
const SLICE = 4_096;
/** Work between two turns of the event loop. */
const TURN_MS = 4;
const TITLE_CHARS = 200;
/** Of a gathered title, with blanks. */
const GATHERED_CHARS = 4_096;

export interface PageLink {
  readonly href: string;
  readonly rel: string;
}

interface PageFacts {
  /** Blanks folded and cut to 200 characters; null where there is none. */
  readonly title: string | null;
}

interface PageVisitor {
  link?(link: PageLink): void;
  meta?(name: string, content: string): void;
  /** The base of relative addresses: the href of the first base element that has one. */
  base?(href: string): void;
}

/** Elements whose text is no markup. */
const TEXT_MODES: ReadonlyMap<string, keyof typeof TokenizerMode> = new Map([
  ['title', 'RCDATA'],
  ['textarea', 'RCDATA'],
  ['style', 'RAWTEXT'],
  ['xmp', 'RAWTEXT'],
  ['iframe', 'RAWTEXT'],
  ['noembed', 'RAWTEXT'],
  ['noframes', 'RAWTEXT'],
  ['script', 'SCRIPT_DATA'],
  ['plaintext', 'PLAINTEXT'],
]);

/** The content of these is no part of the page, or follows rules of its own. */
const APART = new Set(['svg', 'math', 'template']);

function attribute({ attrs }: Token.TagToken, name: string): string | null {
  return attrs.find((each) => each.name === name)?.value ?? null;
}

function cut(text: string): string {
  const chars = [...text];
  return chars.length > TITLE_CHARS ? `${chars.slice(0, TITLE_CHARS - 1).join('')}…` : text;
}

/** Gathers the tokenizer's output. */
class PageReader {
  readonly tokenizer: Tokenizer;
  readonly #visitor: PageVisitor;
  readonly #modes: typeof TokenizerMode;
  #title: string | null = null;
  /** The title that is being read. */
  #text: string | null = null;
  #hasBase = false;
  /** Open elements of APART. */
  #apart = 0;

  constructor(visitor: PageVisitor, parse5: typeof import('parse5')) {
    this.#visitor = visitor;
    this.#modes = parse5.TokenizerMode;
    const text = ({ chars }: Token.CharacterToken): void => this.#characters(chars);
    const nothing = (): void => {};
    this.tokenizer = new parse5.Tokenizer(
      {},
      {
        onStartTag: (tag) => this.#start(tag),
        onEndTag: (tag) => this.#end(tag.tagName),
        onCharacter: text,
        onWhitespaceCharacter: text,
        onNullCharacter: nothing,
        onComment: nothing,
        onDoctype: nothing,
        onEof: () => this.#end('title'),
        onParseError: null,
      },
    );
  }

  facts(): PageFacts {
    const title = (this.#title ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
    return { title: title === '' ? null : cut(title) };
  }

  #start(tag: Token.TagToken): void {
    const { tagName } = tag;
    if (APART.has(tagName) && !tag.selfClosing) this.#apart += 1;
    if (this.#apart > 0) {
      if (tagName === 'script' || tagName === 'style') this.#enter(tagName);
      return;
    }
    this.#enter(tagName);
    const href = attribute(tag, 'href');
    if ((tagName === 'a' || tagName === 'area') && href !== null) {
      this.#visitor.link?.({ href, rel: attribute(tag, 'rel') ?? '' });
    } else if (tagName === 'meta') this.#visitor.meta?.(attribute(tag, 'name') ?? '', attribute(tag, 'content') ?? '');
    else if (tagName === 'title' && this.#title === null) this.#text = '';
    else if (tagName === 'base' && href !== null && !this.#hasBase) {
      this.#hasBase = true;
      this.#visitor.base?.(href);
    }
  }

  #enter(tagName: string): void {
    const mode = TEXT_MODES.get(tagName);
    if (mode !== undefined) this.tokenizer.state = this.#modes[mode];
  }

  #end(tagName: string): void {
    if (APART.has(tagName)) this.#apart = Math.max(0, this.#apart - 1);
    if (tagName !== 'title' || this.#text === null) return;
    this.#title = this.#text;
    this.#text = null;
  }

  #characters(chars: string): void {
    if (this.#text !== null && this.#text.length < GATHERED_CHARS) this.#text += chars.slice(0, GATHERED_CHARS);
  }
}

/** Pages are read one after the other, so that their slices do not add up. */
let reading: Promise<unknown> = Promise.resolve();

/** Reads a page once those before it are read, telling `visitor` of its links and meta elements as they come. */
export function readPage(html: string, visitor: PageVisitor): Promise<PageFacts> {
  const facts = reading.then(() => readFacts(html, visitor));
  reading = facts.catch(() => {});
  return facts;
}

async function readFacts(html: string, visitor: PageVisitor): Promise<PageFacts> {
  // Loaded on demand, so that a start does not pay for it.
  const reader = new PageReader(visitor, await import('parse5'));
  let turn_ms = performance.now();
  for (let at = 0; at < html.length; at += SLICE) {
    reader.tokenizer.write(html.slice(at, at + SLICE), false);
    if (performance.now() - turn_ms < TURN_MS) continue;
    await new Promise((next) => setImmediate(next));
    turn_ms = performance.now();
  }
  reader.tokenizer.write('', true);
  return reader.facts();
}

// Decodes a page's bytes as browsers find the encoding: a byte order mark, the Content-Type header, a meta element near the
// beginning; else UTF-8.

/** The range in which browsers search for the meta element. */
const PRESCAN_BYTES = 1_024;
const META = /<meta\s[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i;

function markedCharset(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : null;
}

function declaredCharset(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES));
  const label = META.exec(head)?.[1] ?? null;
  // A meta element that could be read as ASCII is not UTF-16, whatever it says.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

/** A decoder for a label; null for an unknown one. */
function decoderFor(label: string | null): TextDecoder | null {
  if (label === null) return null;
  try {
    // Any label of the server; the runtime throws for an unknown one.
    return new TextDecoder(label as Bun.Encoding);
  } catch {
    return null;
  }
}

/** Decodes a page; invalid bytes become the replacement character. */
export function pageText(bytes: Uint8Array, content_type: string): string {
  const label = /;\s*charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(content_type)?.[1] ?? null;
  const decoder =
    decoderFor(markedCharset(bytes)) ??
    decoderFor(label) ??
    decoderFor(declaredCharset(bytes)) ??
    new TextDecoder('utf-8');
  return decoder.decode(bytes);
}

/** Whether a Content-Type is that of a page; a server that names none mostly sends one. */
export function isPage(content_type: string): boolean {
  return /^\s*($|text\/html\b|application\/xhtml\+xml\b)/i.test(content_type);
}
