// Matching by other nodes, for a node without the index (ROLE=web).
import type { MatchingRequests } from '../../db/store.ts';
import { MatchingUnavailable } from '../contract/matching-unavailable.ts';
import type { Matcher } from './matcher.ts';
import { type MatchingRequest, requestText } from './request.ts';

export function remoteMatcher(requests: Pick<MatchingRequests, 'ask'>): Matcher {
  const ask = async <T>(request: MatchingRequest): Promise<T> => {
    const answer = await requests.ask(requestText(request));
    if (answer === null) throw new MatchingUnavailable();
    // A node of ours wrote it, as the same method of its own matching returned it.
    return JSON.parse(answer) as T;
  };
  return {
    match: (_ctx, listing_id, asked) => ask({ ask: 'match', listing_id, asked }),
    explain: (listing_id, now_ms) => ask({ ask: 'explain', listing_id, now_ms }),
    preview: (draft, limit, now_ms) => ask({ ask: 'preview', draft, limit, now_ms }),
    sellers: (draft, limit) => ask({ ask: 'sellers', draft, limit }),
    agentsWith: (labels, before, limit) => ask({ ask: 'agents', labels, before, limit }),
    templates: () => {
      throw new Error('words are weighed by a node with the index');
    },
  };
}
