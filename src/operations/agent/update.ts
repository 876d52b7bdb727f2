// Changes an agent's profile, field by field; what is left out stays. A provisional agent cannot leave hiding.

import { type Static, Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision } from '../../../db/store.ts';
import { isSeenOn } from '../../domain/agent/visibility.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { readWake } from '../../domain/inbox/wake.ts';
import { CALL, describe, guide, step } from '../../domain/next-step.ts';
import { Agent, DisplayName, PROFILE_INPUT, WakeInput } from '../../schemas/agent.ts';
import { ownAgent, seenAs } from '../../schemas/agent-view.ts';
import { namedObject } from '../../schemas/named.ts';

import { changeAgent, loadOwn, type Own } from '../../steps/agent/own.ts';
import { profileColumns } from '../../steps/agent/profile.ts';
import { checkLater } from '../../steps/endpoint.ts';
import { remindNow } from '../../steps/reminder.ts';
import { urlProblem } from '../../steps/webhook.ts';
import type { Ctx } from '../context.ts';
import { flow } from '../operation.ts';
import { agentRematch } from './rematch.ts';

const UPDATE_INPUT = namedObject('ProfileInput', 'the fields of an agent to change', {
  display_name: Type.Optional(DisplayName),
  ...PROFILE_INPUT,
  wake: Type.Optional(Type.Union([WakeInput, Type.Null()], { description: 'replaces what was set' })),
  autopilot: Type.Optional(
    Type.Boolean({ description: 'answers by itself in its conversations; switched on by its person, signed in' }),
  ),
  a2a_url: Type.Optional(
    Type.Union([Type.String({ maxLength: 2_048 }), Type.Null()], { description: 'public https; null for none' }),
  ),
});

type Input = Static<typeof UPDATE_INPUT>;

/** The fields whose value is another than before. */
function differingFields(agent: Row<'agents'>, set: Readonly<Record<string, unknown>>): string[] {
  const before: Readonly<Record<string, unknown>> = agent;
  return Object.entries(set)
    .filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
    .map(([field]) => field);
}

/** An agent that comes out of hiding takes part in matching from that moment. */
function matchAgain(ctx: Ctx, before: Row<'agents'>, after: Row<'agents'>): Effect<never>[] {
  if (isSeenOn(seenAs(before), 'matching') || !isSeenOn(seenAs(after), 'matching')) return [];
  return [remindNow(agentRematch, { agent_id: after.id }, { key: after.id, now_ms: ctx.now_ms })];
}

type UpdateFault = 'invalid_request' | 'disclosure_refused' | 'not_found' | 'provisional_account' | 'session_required';

/** A provisional agent stays hidden, and nothing calls out for it: nobody answers for where that leads. */
function provisionalFault(input: Input): Fault<'provisional_account'> | null {
  if (input.visibility !== undefined && input.visibility !== 'hidden') {
    return fault('provisional_account', 'A provisional agent stays hidden until it is claimed.');
  }
  if (!input.a2a_url) return null;
  return fault('provisional_account', 'A provisional agent has no endpoint of its own until it is claimed.');
}

async function decide(
  { agent, facts }: Own,
  input: Input,
  ctx: Ctx,
): Promise<Decision<Static<typeof Agent>, UpdateFault>> {
  if (!agent) return fault('not_found');
  const beyond = agent.provisional === 1 ? provisionalFault(input) : null;
  if (beyond) return beyond;
  // What speaks for a person by itself is switched on by that person; any key may stop it.
  if (input.autopilot === true && agent.autopilot === 0 && ctx.principal.kind !== 'session') {
    return fault(
      'session_required',
      guide`Autopilot is switched on by its person, signed in; a key may switch it off. ${step('session.start', 'email')} begins a session.`,
    );
  }
  const profile = await profileColumns(input, agent);
  if (isFault(profile)) return profile;
  const wake = input.wake === undefined ? undefined : readWake(input.wake ?? {});
  if (isFault(wake)) return wake;
  const set = {
    ...profile,
    ...(wake && { wake }),
    ...(input.autopilot !== undefined && { autopilot: input.autopilot ? 1 : 0 }),
    ...(input.a2a_url !== undefined && { a2a_url: input.a2a_url || null }),
  };
  const fields = differingFields(agent, set);
  if (fields.length === 0) return { reply: ownAgent(agent, facts.presence, ctx) };
  // Another endpoint has not failed yet, and shows a card of its own.
  const moved = fields.includes('a2a_url');
  const fresh = moved ? { a2a_failing_since: null, a2a_card: null } : {};
  const { row, effects } = changeAgent(ctx, agent, { ...set, ...fresh }, facts, fields);
  const look = moved && row.a2a_url !== null ? [checkLater(row.id, ctx.now_ms, 0)] : [];
  return { reply: ownAgent(row, facts.presence, ctx), effects: [...effects, ...look, ...matchAgain(ctx, agent, row)] };
}

export const agentUpdate = flow({
  name: 'agent.update',
  summary: 'Change an agent',
  description: describe`Takes the fields to change; an empty text, an empty list or null clears one. The handle has its own ${CALL}. \`a2a_url\` is the agent’s own A2A endpoint, public https: events that no webhook takes are sent to it. Its card is fetched and checked behind the answer, and again every day; \`a2a\` says what was found.`,
  input: UPDATE_INPUT,
  output: Agent,
  example: { headline: 'I sell better ropes' },
  effect: 'changes',
  open_world: true,
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'required',
  faults: ['invalid_request', 'disclosure_refused', 'not_found', 'provisional_account', 'session_required'],
  rest: [{ method: 'PATCH', path: '/api/agents/{handle}', acting: 'handle' }],
  tools: [
    { name: 'mesh_update_profile', title: 'Change your profile', set: 'agents' },
    {
      name: 'mesh_set_visibility',
      title: 'Choose who sees your agent',
      set: 'agents',
      description: 'Shows the agent to all, to its matches alone, or to nobody.',
      takes: ['visibility'],
      open_world: false,
    },
  ],
  run: async (input, ctx, ports) => {
    // Asks the DNS, so it stands before the turn.
    const unusable = input.a2a_url ? await urlProblem(ports, input.a2a_url) : null;
    if (unusable !== null) return invalid({ path: 'a2a_url', message: unusable });
    return ctx.turn({ final: true, attempt: async (read) => decide(await loadOwn(read, ctx, ports), input, ctx) });
  },
});
