// The text of an HTML mail, without what its program quoted or signed. The tree is walked with a stack of our own, since
// a stranger's nesting may be deeper than the machine's.
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** A person's words fit many times; parsing takes longer than linear on tangled markup. */
const HTML_MAX = 131_072;

const SILENT: ReadonlySet<string> = new Set([
  ...['head', 'script', 'style', 'title', 'template', 'noscript', 'object', 'svg', 'math', 'select', 'textarea'],
  // Quotations: every mail program puts them in here, or marks them as below.
  'blockquote',
]);
const BLOCKS: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'center', 'dd', 'div', 'dl', 'dt', 'figure', 'footer', 'form', 'h1', 'h2', 'h3'],
  ...['h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'ol', 'pre', 'section', 'table', 'tr', 'ul'],
]);
/** Class names and ids of quotations and signatures. */
const MARKED =
  /(?:^|\s)(?:(?:x_)?gmail_(?:quote|attr|signature)\S*|yahoo_quoted\S*|moz-(?:cite-prefix|signature)|protonmail_(?:quote|signature)\S*|tutanota_quote|zmail_extra\S*|mail-(?:quote|signature)|OutlookMessageHeader|ms-outlook-mobile-signature|apple-mail-signature|iCloud-signature)(?:\s|$)/i;
/** What follows one of these is the letter that was replied to. */
const CUT =
  /(?:^|\s)(?:x_)?(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|reply-intro)(?:\s|$)/i;

function marks(element: Element): string {
  return element.attrs
    .filter(({ name }) => name === 'class' || name === 'id')
    .map(({ value }) => value)
    .join(' ');
}

/** A line break that must stand here: 1 ends a line, 2 leaves one empty. As in a browser's `innerText`, several at one
 * place count as the largest of them. */
type Break = 1 | 2;
/** What is left to do: a node to enter, or what stands at the end of one. */
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

/** Text as it shows: what stands between line breaks has single blanks. */
function shownText(pieces: readonly (string | Break)[]): string {
  const kept: string[] = [];
  let due = 0;
  let ended = 0;
  for (const piece of pieces) {
    if (typeof piece === 'number') due = Math.max(due, piece);
    // Blanks at the beginning of a line do not show.
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
