// A site's directives for search engines: its robots.txt (RFC 9309) and those of a page. Read as Googlebot does, so a group for
// Googlebot goes before the group `*`.

const BOT = 'googlebot';

interface Rule {
  readonly allow: boolean;
  readonly path: string;
}

/** The rules of the groups for the bot, else of the groups `*`. */
function rulesFor(text: string): Rule[] {
  const everybody: Rule[] = [];
  let own: Rule[] | null = null;
  // The agents of the current group; consecutive user-agent lines share its rules.
  let [isOwn, isEverybody, began] = [false, false, true];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const [field, word] = [name.toLowerCase(), value.trim()];
    if (field === 'user-agent') {
      if (began) [isOwn, isEverybody, began] = [false, false, false];
      isOwn ||= word.toLowerCase() === BOT;
      isEverybody ||= word === '*';
      if (isOwn) own ??= [];
    } else if (field === 'allow' || field === 'disallow') {
      began = true;
      const rule = { allow: field === 'allow', path: word };
      // An empty path is no rule.
      if (isOwn && word !== '') own?.push(rule);
      if (isEverybody && word !== '') everybody.push(rule);
    }
  }
  return own ?? everybody;
}

/** Whether a rule's path, in which `*` is any text and a final `$` the end, is a prefix of `path`. In one pass. */
function isUnder(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('$');
  const [first = '', ...parts] = (whole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [n, part] of parts.entries()) {
    const last = whole && n === parts.length - 1;
    const found = last ? path.length - part.length : path.indexOf(part, at);
    if (found < at || (last && !path.endsWith(part))) return false;
    at = found + part.length;
  }
  return !whole || at === path.length;
}

/** Whether robots.txt lets a path be crawled: the longest rule wins, and `allow` among equals. */
export function robotsAllow(text: string, path: string): boolean {
  const fitting = rulesFor(text).filter((rule) => isUnder(rule.path, path));
  const longest = fitting.reduce((most, rule) => Math.max(most, rule.path.length), 0);
  const deciding = fitting.filter((rule) => rule.path.length === longest);
  return deciding.length === 0 || deciding.some(({ allow }) => allow);
}

/** Directives that take a value after a colon, unlike a bot's name before one. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/** Words that forbid indexing a page, and following its links. */
const NO_INDEX: ReadonlySet<string> = new Set(['noindex', 'none']);
const NO_FOLLOW: ReadonlySet<string> = new Set(['nofollow', 'none']);

/** Whether an X-Robots-Tag header has one of the words; a bot's name holds for what follows it. */
function headerSays(header: string, words: ReadonlySet<string>): boolean {
  let bot: string | null = null;
  for (const part of header.toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([a-z0-9_-]+)\s*:(.*)$/.exec(part) ?? [];
    const named = name !== undefined && !VALUED.has(name);
    if (named) bot = name;
    const word = (named ? (rest ?? '') : part).trim();
    if ((bot === null || bot === BOT) && words.has(word)) return true;
  }
  return false;
}

/** Whether a meta element has one of the words. */
function metaSays(name: string, content: string, words: ReadonlySet<string>): boolean {
  if (!['robots', BOT].includes(name.trim().toLowerCase())) return false;
  return content
    .toLowerCase()
    .split(/[\s,]+/)
    .some((word) => words.has(word));
}

/** Whether an X-Robots-Tag header, or a meta element, keeps a page out of the index. */
export const headerForbidsIndex = (header: string): boolean => headerSays(header, NO_INDEX);
export const metaForbidsIndex = (name: string, content: string): boolean => metaSays(name, content, NO_INDEX);

/** Whether they say that the links of the page are not to be followed. */
export const headerForbidsFollow = (header: string): boolean => headerSays(header, NO_FOLLOW);
export const metaForbidsFollow = (name: string, content: string): boolean => metaSays(name, content, NO_FOLLOW);
