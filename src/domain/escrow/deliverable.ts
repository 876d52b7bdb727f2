// Deliverables: what the seller hands over for a milestone, and, of a backlink, what its buyer wants a page to hold (Q58, Q59). The
// rule kept here is who may say what: the seller what was delivered, the buyer by what it is to be judged.
import { type Fault, fault, invalid } from '../fault.ts';

/** Submissions that a milestone takes. */
const SUBMISSIONS_MAX = 20;

/** A file or page by the name that the seller gives it. */
interface Link {
  readonly name: string;
  readonly url: string;
}

/** The place of the next submission behind the newest; 409 past the last. */
export function nextPlace(newest: { readonly n?: number } | null): number | Fault<'conflict'> {
  const n = newest === null ? 1 : (newest.n ?? 1) + 1;
  if (n <= SUBMISSIONS_MAX) return n;
  return fault(
    'conflict',
    `A milestone takes ${SUBMISSIONS_MAX} submissions: tell the buyer of more in the conversation.`,
  );
}

/** As either side gives it. */
export interface Given {
  readonly type?: 'backlink';
  readonly url?: string;
  readonly description?: string;
  readonly page_url?: string;
  readonly links?: readonly Link[];
  readonly target_url?: string;
  readonly require_dofollow?: boolean;
  readonly milestone_index?: number;
}

/** What of it is new for a milestone. */
export type Delivery =
  | { readonly backlink: { readonly target_url: string; readonly require_dofollow: boolean } }
  | {
      readonly deliverable: {
        readonly url: string | null;
        readonly description: string | null;
        readonly page_url: string | null;
        readonly links: readonly Link[];
      };
    };

type Refusal = 'wrong_role' | 'invalid_request';

/** Whether a text is a web address. It is compared with the links of a page, and never called. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function wantedLink({ target_url, require_dofollow = true, milestone_index }: Given): Delivery | Fault<Refusal> {
  if (target_url === undefined) return invalid({ path: 'target_url', message: 'Say where the link is to lead.' });
  if (milestone_index === undefined)
    return invalid({ path: 'milestone_index', message: 'Say which milestone the link is for.' });
  if (!isAddress(target_url)) {
    const message = 'Give a web address with http or https, and no password in it.';
    return invalid({ path: 'target_url', message });
  }
  return { backlink: { target_url, require_dofollow } };
}

/** What a side has given, or the refusal: 403 `wrong_role` for what the other side has to say, 400 for what is missing or no
 * address. Whether the service would call what the seller gives is asked before. */
export function readDelivery(side: 'buyer' | 'seller', given: Given): Delivery | Fault<Refusal> {
  const { type, url, description, page_url, links = [], target_url } = given;
  if (side === 'buyer') {
    if (type === undefined || url !== undefined || page_url !== undefined || links.length > 0)
      return fault('wrong_role', 'Only the seller says what was delivered.');
    return wantedLink(given);
  }
  if (target_url !== undefined || given.require_dofollow !== undefined)
    return fault('wrong_role', 'Only the buyer says what a page has to hold.');
  if (url === undefined && page_url === undefined && links.length === 0)
    return invalid({ path: 'url', message: 'Say where it is, also by `links`; of a backlink give `page_url`.' });
  return {
    deliverable: { url: url ?? null, description: description?.trim() || null, page_url: page_url ?? null, links },
  };
}
