// Answers what nodes without the index of matching ask.
import { MailboxFull } from '../../actors/mailbox.ts';
import { reminderById } from '../../db/queries/reminder.ts';
import { StoreUnavailable } from '../../db/unavailable.ts';
import { MatchingUnavailable } from '../contract/matching-unavailable.ts';
import { isFault } from '../domain/fault.ts';
import type { Matched } from '../domain/match/asked.ts';
import { errorFields, type Log } from '../log.ts';
import { type Answering, answerRequest } from '../matching/request.ts';
import { matchRunForNode } from '../operations/match/run-for-node.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { World } from './world.ts';

/** A reminder that another node has claimed is waited for as long, and looked for so often. */
const ELSEWHERE_MS = 4_000;
const LOOK_MS = 50;

/** Runs a reminder that a node has just set, and returns when it was run, here or by the node that claimed it first. */
function runner({ store, supervisor, clock }: World): Answering['runReminder'] {
  return async (id) => {
    for (const until_ms = performance.now() + ELSEWHERE_MS; performance.now() < until_ms; await Bun.sleep(LOOK_MS)) {
      if (await store.matching?.claimReminder(id, clock.now())) return supervisor.runNow(id);
      if (!(await store.read(reminderById, { id }))) return;
    }
  };
}

/** Whether the same request may be answered later, or by another node. */
function passes(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof MailboxFull || error instanceof MatchingUnavailable;
}

/** Answers from now on, and logs what failed. */
export async function answerNodes(world: World, pipeline: Pipeline, { log }: { readonly log: Log }): Promise<void> {
  const { matcher, store } = world;
  if (store.role === 'web') return;
  const match: Answering['match'] = async (listing_id, asked) => {
    const outcome = await pipeline.byItself(matchRunForNode, { listing_id, ...asked });
    // The reply is of the shape that this operation declares.
    return isFault(outcome) ? outcome : (outcome.reply as Matched);
  };
  const answering: Answering = { ...matcher, match, runReminder: runner(world) };
  const failed = (error: unknown): null => {
    log.error('a request to matching failed', errorFields(error));
    if (passes(error)) return null;
    throw error;
  };
  await store.matching?.answerWith((request) => answerRequest(answering, request).catch(failed));
}
