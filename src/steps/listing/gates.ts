// The gates of a public listing: its agent's verification, and the DNS proof of a site that it names
// (interface.md "States", rules.md 5). The report says how to pass each failed check.
import type { Static } from 'typebox';
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { listingById } from '../../../db/queries/listing.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { VERIFICATION_HOW } from '../../domain/agent/onboarding.ts';
import { completenessOf } from '../../domain/listing/listing.ts';
import type { ListingFacts } from '../../domain/listing/state.ts';
import { domainToProve } from '../../domain/listing/taxonomy.ts';
import type { Guidance } from '../../domain/next-step.ts';
import { readDomain } from '../../outbound/domain-name.ts';
import { type Listing, publicListing } from '../../schemas/listing.ts';
import { domainRecord } from '../outside.ts';
import type { ListingContent } from './content.ts';
import { needsReview, type Reviewing } from './review.ts';

export interface Check {
  readonly check: 'agent_verified' | 'domain_verified' | 'review';
  readonly status: 'passed' | 'pending' | 'failed';
  /** How to pass it; absent once passed. */
  readonly how?: Guidance;
  /** The parts of `how`: the DNS record to publish, what the look-up found, and the trade for which an administrator refused. */
  readonly record?: { readonly name: string; readonly value: string };
  readonly note?: string;
  readonly reason?: string;
}

/** The owner of a listing, for its gates. */
export interface Owner {
  readonly agent: Pick<Row<'agents'>, 'id' | 'handle' | 'verified_at'>;
  readonly claims: readonly Pick<Row<'claims'>, 'provider' | 'external_id' | 'failing_since'>[];
}

/** Whether a domain is proven for the owner. */
export function isProven(domain: string, { claims }: Owner): boolean {
  return claims.some((c) => c.provider === 'domain' && c.external_id === domain && c.failing_since === null);
}

/** Whether the site that the listing names, if it must name one, is proven to be the agent's. */
function isSiteProven(content: ListingContent, owner: Owner): boolean {
  const domain = domainToProve(content);
  return domain === null || isProven(domain, owner);
}

/** The facts that decide a written listing's state; the agent's verification is checked when it would go live. */
export function factsOf(content: ListingContent, owner: Owner, reviewing: Reviewing): ListingFacts {
  return {
    completeness: completenessOf(content),
    gates_passed: isSiteProven(content, owner),
    review_needed: needsReview(reviewing),
  };
}

/** The result of an administrator's review when the niche classifier is unsure. */
function reviewCheck(status: Row<'listings'>['status'], review: Row<'reviews'> | undefined): Check | null {
  if (status === 'pending_review') {
    return { check: 'review', status: 'pending', how: 'Wait for the review by an administrator.' };
  }
  if (status !== 'inactive' || review?.status !== 'rejected') return null;
  const how = `An administrator refused it (${review.reason}). Change the text, then set active: true.`;
  return { check: 'review', status: 'failed', how, reason: review.reason };
}

/** The state of the proof of the listing's site, if it must name one. */
function siteCheck(content: ListingContent, owner: Owner, secret: Uint8Array, note: string | undefined): Check | null {
  const domain = domainToProve(content);
  if (domain === null) return null;
  const check = 'domain_verified';
  if (isProven(domain, owner)) return { check, status: 'passed' };
  const own = readDomain(domain);
  if (typeof own === 'string') return { check, status: 'failed', how: own };
  const record = domainRecord(secret, owner.agent.id, domain);
  const { name, value } = record;
  const how = `Publish the DNS record ${name} TXT "${value}", then call verify on this listing.`;
  const wasProven = owner.claims.some(({ provider, external_id }) => provider === 'domain' && external_id === domain);
  if (wasProven) return { check, status: 'failed', how: `The record was removed. ${how}`, record };
  if (note === undefined) return { check, status: 'pending', how, record };
  return { check, status: 'pending', how: `${how} ${note}`, record, note };
}

/** Every check of a listing with how to pass it; `secret` keys the token of the DNS record. `review` is its newest one. */
export function gateReport(
  listing: ListingContent & { readonly status: Row<'listings'>['status'] },
  owner: Owner,
  secret: Uint8Array,
  review?: Row<'reviews'>,
  note?: string,
): Check[] {
  const report: Check[] = [];
  const site = siteCheck(listing, owner, secret, note);
  if (site) report.push(site);
  const verified = owner.agent.verified_at !== null;
  report.push(
    verified
      ? { check: 'agent_verified', status: 'passed' }
      : { check: 'agent_verified', status: 'pending', how: VERIFICATION_HOW },
  );
  const looked = reviewCheck(listing.status, review);
  return looked ? [...report, looked] : report;
}

/** One word for a report: failed before pending before passed. */
export function gateStatus(report: readonly Check[]): Check['status'] {
  if (report.some(({ status }) => status === 'failed')) return 'failed';
  return report.some(({ status }) => status === 'pending') ? 'pending' : 'passed';
}

/** A listing as its owner sees it; `secret` keys the token in the gate report, `review` is the newest one of its words. */
export function ownListing(
  row: Row<'listings'>,
  owner: Owner,
  secret: Uint8Array,
  review?: Row<'reviews'>,
): Static<typeof Listing> {
  const report = gateReport(row, owner, secret, review);
  return {
    ...publicListing(row, owner.agent.handle),
    gate_status: gateStatus(report),
    gate_report: report,
  };
}

// The acting agent's own listing with the facts of its rules: the rows are read again in the turn, because they decide whether it
// may be live. Absent listings and others' get the same answer.

export interface Owned {
  readonly row: Row<'listings'>;
  readonly owner: Owner & { readonly agent: Row<'agents'> };
}

/** The listing and its owner; null when the acting agent has no such listing. */
export async function readOwned(read: Read, ctx: Ctx, listing_id: string): Promise<Owned | null> {
  const agent_id = actor(ctx).id;
  const [row, agent, claims] = await Promise.all([
    read(listingById, { id: listing_id }),
    read(agentById, { id: agent_id }),
    read(claimsOfAgent, { agent_id }),
  ]);
  if (!row || row.agent_id !== agent_id || !agent || agent.deactivated_at !== null) return null;
  return { row, owner: { agent, claims } };
}
