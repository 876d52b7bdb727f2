// Measures a site on which links are offered (rules.md 5): its answer over TLS, whether search engines may index it, its
// number of outbound links, its title. One page and its robots.txt; no redirect is followed. Its owner asked for it, so
// robots.txt is evaluated, not obeyed.
import { parse } from 'tldts';
import type { SafeHttp, SafeReply } from '../safe-http/safe-http.ts';
import { isPage, pageText, readPage } from './read.ts';
import { headerForbidsIndex, metaForbidsIndex, robotsAllow } from './robots.ts';

const PAGE_BYTES_MAX = 2 * 1024 ** 2;
const PAGE_MS = 8_000;
const ROBOTS_BYTES_MAX = 128 * 1024;
const ROBOTS_MS = 3_000;
/** No browser follows much longer links, and parsing one would block the service. */
const HREF_CHARS = 4_096;

/** The measurements. The last two are null when the answer is no page. */
export interface SiteFacts {
  readonly https: boolean;
  readonly http_status: number;
  /** False for an unsuccessful answer. */
  readonly robots_indexable: boolean;
  /** Links on the page that lead to another registered domain. */
  readonly outbound_links: number | null;
  readonly page_title: string | null;
}

type Http = Pick<SafeHttp, 'request'>;

/** The registered domain of a host, which includes a site's own subdomains. */
function siteOf(host: string): string {
  return parse(host, { allowPrivateDomains: true }).domain ?? host;
}

/** The answer of a site's front page, over TLS or, if the operator allows that, without; null when there is none. */
async function frontPage(
  http: Http,
  domain: string,
  signal: AbortSignal | undefined,
): Promise<{ url: string; answer: SafeReply } | null> {
  const headers = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1' };
  for (const url of [`https://${domain}/`, `http://${domain}/`]) {
    const wanted = { method: 'GET', url, headers, deadline_ms: PAGE_MS, bytes_max: PAGE_BYTES_MAX, signal } as const;
    const answer = await http.request(wanted);
    if (answer.ok) return { url, answer };
    // It exists and is slow or sends too much: plain HTTP would be no better.
    if (answer.reason === 'timeout' || answer.reason === 'too_large') return null;
  }
  return null;
}

/** Whether robots.txt lets the front page be crawled; a site that has none allows everything. */
async function isCrawlable(http: Http, url: string, signal: AbortSignal | undefined): Promise<boolean> {
  const robots = new URL('/robots.txt', url).href;
  const limits = { deadline_ms: ROBOTS_MS, bytes_max: ROBOTS_BYTES_MAX, signal };
  const answer = await http.request({ method: 'GET', url: robots, ...limits });
  return !answer.ok || answer.status !== 200 || robotsAllow(pageText(answer.body, ''), '/');
}

/** Counts the links of a page that lead out of its site. */
class OutboundLinks {
  readonly #site: string;
  readonly #url: string;
  count = 0;

  constructor(url: string) {
    this.#url = url;
    this.#site = siteOf(new URL(url).hostname);
  }

  take(href: string): void {
    if (href.length > HREF_CHARS) return;
    const target = URL.parse(href.trim(), this.#url);
    if (!target || !/^https?:$/.test(target.protocol)) return;
    if (siteOf(target.hostname) !== this.#site) this.count += 1;
  }
}

/** Measures a site's front page; null when it gives no answer. */
export async function measureSite(http: Http, domain: string, signal?: AbortSignal): Promise<SiteFacts | null> {
  const found = await frontPage(http, domain, signal);
  if (!found) return null;
  const { url, answer } = found;
  const { status: http_status, headers, body } = answer;
  const https = url.startsWith('https:');
  const type = headers['content-type'] ?? '';
  const succeeded = http_status >= 200 && http_status < 300;
  const forbidden = !succeeded || headerForbidsIndex(headers['x-robots-tag'] ?? '');
  const robots_indexable = !forbidden && (await isCrawlable(http, url, signal));
  if (!succeeded || !isPage(type)) {
    return { https, http_status, robots_indexable, outbound_links: null, page_title: null };
  }
  const links = new OutboundLinks(url);
  let noindex = false;
  const { title } = await readPage(pageText(body, type), {
    link: ({ href }) => links.take(href),
    meta: (name, content) => {
      noindex ||= metaForbidsIndex(name, content);
    },
  });
  return {
    https,
    http_status,
    robots_indexable: robots_indexable && !noindex,
    outbound_links: links.count,
    page_title: title,
  };
}
