// Deliverables: what the seller delivers for a milestone, and, for a backlink, the link that its buyer wants on a page (Q58, Q59). The
// seller states the delivery, the buyer the criterion.
import { type Fault, fault, invalid } from '../fault.ts';

/** Submissions that a milestone takes. */
const SUBMISSIONS_MAX = 20;

/** A file or page with the seller's name for it. */
interface Link {
  readonly name: string;
  readonly url: string;
}

/** The number of the next submission; 409 beyond the limit. */
export function nextPlace(newest: { readonly n?: number } | null): number | Fault<'conflict'> {
  const n = newest === null ? 1 : (newest.n ?? 1) + 1;
  if (n <= SUBMISSIONS_MAX) return n;
  return fault(
    'conflict',
    `A milestone takes ${SUBMISSIONS_MAX} submissions: tell the buyer of more in the conversation.`,
  );
}

/** The input of either side. */
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

/** The change of a milestone. */
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

/** Whether a text is a web address. It is only compared with the links of a page, never called. */
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

/** The parsed input of a side, or the fault: 403 `wrong_role` for fields of the other side, 400 for missing fields and invalid
 * addresses. Whether the service may call the seller's address is checked before. */
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
