// What the service asks of matching, and who answers: the index of this process (local.ts), or with ROLE=web another node that
// holds one (remote.ts).
import type { FlowCtx } from '../contract/context.ts';
import type { Asker, Draft, Previewed } from '../contract/ports.ts';
import type { Seller } from '../domain/demand/demand.ts';
import type { Fault } from '../domain/fault.ts';
import type { TemplateShares } from '../domain/listing/template-words.ts';
import type { MatchAsked, Matched } from '../domain/match/asked.ts';
import type { Explained } from '../domain/match/missing.ts';

/** Throws `MatchingUnavailable` where no node answers, and `MailboxFull` where too many requests of the caller are under way. */
export interface Matcher {
  /** Matches a listing with all others. */
  match(ctx: FlowCtx, listing_id: string, asked: MatchAsked): Promise<Matched | Fault>;
  /** Explains what a listing's matches lack; null when it takes no part in matching. */
  explain(ctx: Asker, listing_id: string): Promise<Explained | null>;
  /** The best matches of a draft, at most `limit`; null when its agent takes no part in matching. */
  preview(draft: Draft, limit: number, now_ms: number): Promise<Previewed | null>;
  /** The best sellers for a request for quotes, at most `limit`. */
  sellers(draft: Draft, limit: number): Promise<readonly Seller[]>;
  /** Agents with a live listing that carries one of the labels, newest first, from below `before`. */
  agentsWith(labels: readonly string[], before: string, limit: number): Promise<readonly string[]>;
  /** The words that weigh less in the vectors of a card type. Only a node with an index runs what asks for them. */
  templates(card_type: string): TemplateShares;
}
