// Checks whether a page links to an address, as evidence that releases money: the link is read as a search engine reads it, and must
// count there. One page, no redirect followed, 2 MB at most, in linear time.
import type { LinkFault } from '../../domain/escrow/link-fault.ts';
import type { SafeHttp } from '../safe-http/safe-http.ts';
import { isPage, pageText, readPage } from './read.ts';
import { headerForbidsFollow, headerForbidsIndex, metaForbidsFollow, metaForbidsIndex } from './robots.ts';

const PAGE_BYTES_MAX = 2 * 1024 ** 2;
const PAGE_MS = 8_000;
/** No browser follows a link that is much longer, and taking one apart would hold up the service. */
const HREF_CHARS = 4_096;
/** The most relative links that are read; no real page has more. */
const RELATIVE_MAX = 20_000;
/** The links between two turns of the event loop. */
const SLICE = 500;

/** By which a page says that it does not vouch for what it links to. */
const NOT_VOUCHED: ReadonlySet<string> = new Set(['nofollow', 'ugc', 'sponsored']);

export interface WantedLink {
  /** Where it is to lead, to the letter; only what follows a `#` makes no difference. */
  readonly target_url: string;
  /** Whether search engines have to be let follow it. */
  readonly require_dofollow: boolean;
}

/** The result of the check. */
export type LinkVerdict = { readonly holds: true } | { readonly holds: false; readonly why: LinkFault };

const not = (code: LinkFault['code'], status: number | null = null): LinkVerdict => ({
  holds: false,
  why: { code, status },
});

/** An address without its fragment; null for an invalid one. */
function addressOf(href: string, base?: string): string | null {
  if (href.length > HREF_CHARS) return null;
  const url = URL.parse(href.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  return url.href;
}

/** The links of a page to one address. */
class Links {
  readonly #target: string | null;
  readonly #relative: { readonly href: string; readonly vouched: boolean }[] = [];
  /** Whether there is one, and one that the page vouches for. */
  found = false;
  vouched = false;

  constructor(target_url: string) {
    this.#target = addressOf(target_url);
  }

  take(href: string, rel: string): void {
    const vouched = !rel
      .toLowerCase()
      .split(/\s+/)
      .some((word) => NOT_VOUCHED.has(word));
    // An absolute address does not depend on a base element, which may come later.
    if (/^\s*[a-z][a-z0-9+.-]{0,30}:/i.test(href.slice(0, 64))) this.#hold(addressOf(href), vouched);
    else if (this.#relative.length < RELATIVE_MAX && href.length <= HREF_CHARS) this.#relative.push({ href, vouched });
  }

  /** Checks the relative links, once the base is known. */
  async end(base: string): Promise<void> {
    for (const [n, { href, vouched }] of this.#relative.entries()) {
      this.#hold(addressOf(href, base), vouched);
      if (n % SLICE === SLICE - 1) await new Promise((next) => setImmediate(next));
    }
  }

  #hold(address: string | null, vouched: boolean): void {
    if (address === null || address !== this.#target) return;
    this.found = true;
    this.vouched ||= vouched;
  }
}

/** Judges a page. `x_robots_tag` is that header of its answer, or empty. */
export async function judgePage(
  html: string,
  page: { readonly url: string; readonly x_robots_tag: string },
  { target_url, require_dofollow }: WantedLink,
): Promise<LinkVerdict> {
  const links = new Links(target_url);
  let base = page.url;
  let noindex = headerForbidsIndex(page.x_robots_tag);
  let nofollow = headerForbidsFollow(page.x_robots_tag);
  await readPage(html, {
    link: ({ href, rel }) => links.take(href, rel),
    base: (href) => {
      base = addressOf(href, page.url) ?? page.url;
    },
    meta: (name, content) => {
      noindex ||= metaForbidsIndex(name, content);
      nofollow ||= metaForbidsFollow(name, content);
    },
  });
  await links.end(base);
  if (!links.found) return not('no_link');
  if (!require_dofollow) return { holds: true };
  if (!links.vouched) return not('not_vouched');
  if (nofollow) return not('nofollow');
  if (noindex) return not('noindex');
  return { holds: true };
}

/** Reads a page and says whether it holds the link. */
export async function findBacklink(
  http: Pick<SafeHttp, 'request'>,
  page_url: string,
  wanted: WantedLink,
  signal: AbortSignal,
): Promise<LinkVerdict> {
  const headers = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1' };
  const limits = { deadline_ms: PAGE_MS, bytes_max: PAGE_BYTES_MAX, signal };
  const answer = await http.request({ method: 'GET', url: page_url, headers, ...limits });
  if (!answer.ok) return not(answer.reason);
  const { status, headers: told, body } = answer;
  if (status >= 300 && status < 400) return not('redirects', status);
  if (status < 200 || status > 299) return not('status', status);
  const type = told['content-type'] ?? '';
  if (!isPage(type)) return not('not_html');
  const page = { url: page_url, x_robots_tag: told['x-robots-tag'] ?? '' };
  return judgePage(pageText(body, type), page, wanted);
}
