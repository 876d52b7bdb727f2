// How a deleted agent was found and reached, taken away: its names, proofs, listings and matches, its webhooks and push configs.
import { apply, type Effect, patch, remove } from '../../../db/effects.ts';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { viewsOfAgent } from '../../../db/queries/analytics.ts';
import { marksOfAccount, partnersOfAgent } from '../../../db/queries/deal.ts';
import {
  feedBehind,
  freshLogs,
  handlesOfAgent,
  matchesAsOffer,
  matchesAsSeek,
  pushConfigsOfAgent,
} from '../../../db/queries/leaving.ts';
import { listingsOfAgent } from '../../../db/queries/listing.ts';
import { reviewOfListing } from '../../../db/queries/review.ts';
import { webhooksOfAgent } from '../../../db/queries/webhook.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { goneHandle } from '../../domain/identity/handle.ts';
import { countDown, countIntake } from '../listing/cap.ts';
import { followChange } from '../listing/derived.ts';
import { countPushConfigs, DELIVER } from '../push-config.ts';
import { unremind } from '../reminder.ts';
import { endOfAgent } from '../task/end.ts';
import { type AgentStage, consuming, SLICE, walking } from './erase.ts';

/** Each takes its vector, its labels, its entry of the feed and its open matches along. */
const LISTINGS = 20;

/** The names that it had lead nowhere, and are nobody's. */
const names: AgentStage = async (read, { id }) => {
  const rows = await read(handlesOfAgent, { agent_id: id, but: goneHandle(id), limit: SLICE });
  return consuming(rows, (row) => [
    patch('handles', row, { kind: 'gone', agent_id: null, email: null, expires_at: null }),
  ]);
};

/** Phone numbers and outside accounts, which another agent may prove from now on. */
const proofs: AgentStage = async (read, { id }) => {
  const rows = (await read(claimsOfAgent, { agent_id: id })).slice(0, SLICE);
  return consuming(rows, (row) => [remove('claims', row)]);
};

/** What its account could have in common with others. */
const marks: AgentStage = async (read, { account_id }) => {
  const rows = await read(marksOfAccount, { account_id, limit: SLICE });
  return consuming(rows, (row) => [remove('account_marks', row)]);
};

const partners: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(partnersOfAgent, { agent_id, limit: SLICE });
  return consuming(rows, (row) => [remove('partners', row)]);
};

const views: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(viewsOfAgent, { agent_id, limit: SLICE });
  return consuming(rows, (row) => [remove('views', row)]);
};

const listings: AgentStage = async (read, { id }) => {
  const rows = await read(listingsOfAgent, { agent_id: id, before: HIGHEST_ID, limit: LISTINGS });
  const reviews = await Promise.all(rows.map((row) => read(reviewOfListing, { listing_id: row.id })));
  const known = reviews.flatMap((review) => (review ? [review] : []));
  return (ctx) => ({
    effects: [
      ...rows.flatMap((row) => [
        remove('listings', row),
        // A count downwards is never refused.
        (row.origin === 'direct' ? countDown(ctx, row.account_id) : countIntake(row.agent_id, -1)) as Effect<never>,
        ...followChange(ctx, row, null, undefined),
      ]),
      // The words of a held listing stand in its review.
      ...known.map((review) => remove('reviews', review)),
    ],
    after: rows.length === LISTINGS ? '' : null,
  });
};

const feed: AgentStage = async (read, { id }, after) => {
  const rows = await read(feedBehind, { agent_id: id, after, limit: SLICE });
  return walking(rows, (row, { now_ms }) => [apply('feed_entries', row.id, () => ({ expires_at: now_ms }))]);
};

/** The other side keeps a match that it has seen, without the words of this one. */
function matches(side: 'offer' | 'seek'): AgentStage {
  const query = side === 'offer' ? matchesAsOffer : matchesAsSeek;
  const column = side === 'offer' ? 'offer_headline' : 'seek_headline';
  return async (read, { id: agent_id }, after) => {
    const [score = '', id = ''] = after === '' ? ['-1', ''] : after.split('|');
    const rows = await read(query, { agent_id, score_ppm: Number(score), id, limit: SLICE });
    const last = rows.at(-1);
    return () => ({
      effects: rows.map((row) => apply('matches', row.id, () => ({ [column]: '' }))),
      after: rows.length === SLICE && last ? `${last.score_ppm}|${last.id}` : null,
    });
  };
}

/** A webhook goes when its logs have; those are left to the pruner. */
const webhooks: AgentStage = async (read, { id }, after) => {
  const [hook] = await read(webhooksOfAgent, { agent_id: id });
  if (!hook) return () => ({ effects: [], after: null });
  const rows = await read(freshLogs, { webhook_id: hook.id, after, limit: SLICE });
  return ({ now_ms }) => {
    const expired = rows.map((row) => apply('webhook_logs', row.id, () => ({ expires_at: now_ms })));
    const last = rows.length === SLICE ? rows.at(-1) : undefined;
    if (last) return { effects: expired, after: last.id };
    // There may be another one.
    return { effects: [...expired, remove('webhooks', hook)], after: '' };
  };
};

const pushConfigs: AgentStage = async (read, { id }) => {
  const rows = await read(pushConfigsOfAgent, { agent_id: id, limit: SLICE });
  return consuming(rows, (row) => [
    remove('push_configs', row),
    // A count downwards is never refused.
    countPushConfigs(row.task_id, -1) as Effect<never>,
    unremind(DELIVER, row.id),
  ]);
};

/** What it sent is canceled, what was sent to it fails. */
const tasks: AgentStage = async (_read, { id }) => {
  return ({ now_ms }) => ({ effects: [endOfAgent(now_ms, id)], after: null });
};

/** In this order: nobody is reached any more before anything else goes. */
export const REACH: readonly AgentStage[] = [
  names,
  webhooks,
  pushConfigs,
  tasks,
  listings,
  feed,
  matches('offer'),
  matches('seek'),
  proofs,
  marks,
  partners,
  views,
];
