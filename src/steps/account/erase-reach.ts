// How a deleted agent was found and reached, taken away: its names and listings, its webhooks and push configs, and what it knew.
import { apply, type Effect, patch, remove } from '../../../db/effects.ts';
import { knowledgeOfAgent } from '../../../db/queries/knowledge.ts';
import { feedBehind, freshLogs, handlesOfAgent, pushConfigsOfAgent } from '../../../db/queries/leaving.ts';
import { listingsOfAgent } from '../../../db/queries/listing.ts';
import { reviewOfListing } from '../../../db/queries/review.ts';
import { webhooksOfAgent } from '../../../db/queries/webhook.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import { goneHandle } from '../../domain/identity/handle.ts';
import { removeKnowledge } from '../knowledge/hold.ts';
import { countDown, countIntake } from '../listing/cap.ts';
import { followChange } from '../listing/derived.ts';
import { countPushConfigs, DELIVER } from '../push-config.ts';
import { unremind } from '../reminder.ts';
import { endOfAgent } from '../task/end.ts';
import { type AgentStage, consuming, SLICE, type Stages, walking } from './erase.ts';

/** Each takes its vector, its labels, its entry of the feed and its open matches along. */
const LISTINGS = 20;

/** The names that it had lead nowhere, and are nobody's. */
const names: AgentStage = async (read, { id }) => {
  const rows = await read(handlesOfAgent, { agent_id: id, but: goneHandle(id), limit: SLICE });
  return consuming(rows, (row) => [patch('handles', row, blanked('handles', row, id))]);
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

/** What it knew, taken out of what is counted. */
const knowledge: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(knowledgeOfAgent, { agent_id, before: HIGHEST_ID, limit: SLICE });
  return consuming(rows, removeKnowledge);
};

/** In this order: nobody is reached any more before anything else goes. */
export const REACH = {
  handles: [names],
  webhooks: [webhooks],
  push_configs: [pushConfigs],
  tasks: [tasks],
  listings: [listings],
  feed_entries: [feed],
  knowledge: [knowledge],
} satisfies Stages;
