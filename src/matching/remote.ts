// Matching by other nodes, for a node without the index (ROLE=web).

import { MailboxFull } from '../../actors/mailbox.ts';
import type { MatchingRequests } from '../../db/store.ts';
import { MatchingUnavailable } from '../contract/matching-unavailable.ts';
import type { Matcher } from './matcher.ts';
import { type MatchingRequest, requestText } from './request.ts';

/** Requests under way for one account, or for all reads of the registry; one more is refused, so that no caller fills the queue. */
const OF_CALLER_MAX = 32;
/** Who has no account, and reads the registry. */
const PUBLIC = 'public';

export function remoteMatcher(requests: Pick<MatchingRequests, 'ask'>): Matcher {
  const under_way = new Map<string, number>();
  const ask = async <T>(caller: string, request: MatchingRequest): Promise<T> => {
    const before = under_way.get(caller) ?? 0;
    if (before >= OF_CALLER_MAX) throw new MailboxFull();
    under_way.set(caller, before + 1);
    try {
      const answer = await requests.ask(requestText(request), caller);
      if (answer === null) throw new MatchingUnavailable();
      // A node of ours wrote it, as the same method of its own matching returned it.
      return JSON.parse(answer) as T;
    } finally {
      const left = (under_way.get(caller) ?? 1) - 1;
      if (left > 0) under_way.set(caller, left);
      else under_way.delete(caller);
    }
  };
  return {
    match: ({ account_id }, listing_id, asked) => ask(account_id, { ask: 'match', listing_id, asked }),
    explain: ({ account_id, now_ms }, listing_id) => ask(account_id, { ask: 'explain', listing_id, now_ms }),
    preview: (draft, limit, now_ms) => ask(draft.account_id, { ask: 'preview', draft, limit, now_ms }),
    sellers: (draft, limit) => ask(draft.account_id, { ask: 'sellers', draft, limit }),
    agentsWith: (labels, before, limit) => ask(PUBLIC, { ask: 'agents', labels, before, limit }),
    templates: () => {
      throw new Error('words are weighed by a node with the index');
    },
  };
}
