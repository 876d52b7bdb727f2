// Splits a document of the service into passages: paragraphs, list items and table rows, each under its headings. Code is left out.
import type { Passage } from './search.ts';

const FENCE = '```';
/** A comment under a heading lists search keywords of its section. */
const COMMENT = '<!--';
const SPACES = /\s/;
/** A shorter passage answers no question. */
const PIECE_MIN = 40;

/** Cuts a text after a whole word, and marks the cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  const at = cut.lastIndexOf(' ');
  return `${(at > max / 2 ? cut.slice(0, at) : cut).toWellFormed().trimEnd()}…`;
}

/** A line of Markdown as plain text: without markup, links as their text. */
function plain(line: string): string {
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (line.startsWith('](', at)) {
      const end = line.indexOf(')', at);
      if (end < 0) return text + line.slice(at + 1);
      at = end;
    } else if (letter !== '*' && letter !== '[') text += letter;
  }
  return text;
}

function rowText(line: string): string {
  const cells = line.split('|').map((cell) => cell.trim());
  return cells.filter((cell) => cell !== '').join(': ');
}

const isRule = (line: string): boolean => line.startsWith('|') && ![...line].some((sign) => !'|-: '.includes(sign));

/** Whether a line starts a new passage: a list item or a table row. */
function beginsAnew(line: string): boolean {
  return line.startsWith('|') || line.startsWith('- ') || /^\d{1,2}\. /.test(line);
}

/** A piece of a document under its headings. */
export type Piece = Pick<Passage, 'document' | 'title' | 'keywords' | 'about'> & { readonly text: string };

/** The pieces of a document, without those under the headings `leave_out`. */
export function markdownPieces(
  document: string,
  markdown: string,
  leave_out: ReadonlySet<string> = new Set(),
): Piece[] {
  const pieces: Piece[] = [];
  /** The headings over a line, the document's own first. */
  let headings: string[] = [];
  let keywords = '';
  let lines: string[] = [];
  let in_code = false;
  const flush = (): void => {
    const text = plain(lines.join(' ')).split(SPACES).filter(Boolean).join(' ');
    lines = [];
    if (text.length < PIECE_MIN || headings.some((heading) => leave_out.has(heading))) return;
    pieces.push({ document, title: headings.at(-1) ?? '', keywords, about: headings.slice(0, -1).join(', '), text });
  };
  for (const raw of markdown.split('\n')) {
    const line = raw.trim();
    if (line.startsWith(FENCE)) {
      flush();
      in_code = !in_code;
    } else if (in_code) continue;
    else if (line.startsWith('#')) {
      flush();
      const heading = line.replaceAll('#', '').trim();
      headings = [...headings.slice(0, line.length - line.replace(/^#{1,6}/, '').length - 1), heading];
      keywords = '';
    } else if (line.startsWith(COMMENT)) {
      keywords = line.slice(COMMENT.length).replace('-->', '');
    } else if (isRule(line))
      lines = []; // The lines before it are the names of columns.
    else if (line === '') flush();
    else {
      if (beginsAnew(line)) flush();
      lines.push(line.startsWith('|') ? rowText(line) : line);
    }
  }
  flush();
  return pieces;
}
