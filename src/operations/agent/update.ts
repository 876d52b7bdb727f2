// Changes an agent's profile; absent fields stay. A provisional agent stays hidden.
import { type Static, Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { isSeenOn } from '../../domain/agent/profile.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { readWake } from '../../domain/inbox/wake.ts';
import { CALL, describe, guide, step } from '../../domain/next-step.ts';
import { endpointSetLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { Agent, DisplayName, ownAgent, PROFILE_INPUT, seenAs, WakeInput } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { nullable } from '../../schemas/wire.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { changeAgent, type Own } from '../../steps/agent/own.ts';
import { profileColumns } from '../../steps/agent/profile.ts';
import { checkLater } from '../../steps/agent/silence.ts';
import { sendLetter } from '../../steps/letter.ts';
import { urlProblem } from '../../steps/outside.ts';
import { remindNow } from '../../steps/reminder.ts';
import { agentRematch } from './rematch.ts';

const UPDATE_INPUT = namedObject('ProfileInput', 'the fields of an agent to change', {
  display_name: Type.Optional(DisplayName),
  ...PROFILE_INPUT,
  wake: Type.Optional(nullable(WakeInput, 'replaces the earlier value')),
  autopilot: Type.Optional(
    Type.Boolean({ description: 'answers by itself in its conversations; only a signed-in person can switch it on' }),
  ),
  a2a_url: Type.Optional(nullable(Type.String({ maxLength: 2_048 }), 'public https; null for none')),
});

type Input = Static<typeof UPDATE_INPUT>;

/** The fields whose value changes. */
function differingFields(agent: Row<'agents'>, set: Readonly<Record<string, unknown>>): string[] {
  const before: Readonly<Record<string, unknown>> = agent;
  return Object.entries(set)
    .filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
    .map(([field]) => field);
}

/** Schedules matching for an agent that comes out of hiding. */
function matchAgain(ctx: Ctx, before: Row<'agents'>, after: Row<'agents'>): Effect<never>[] {
  if (isSeenOn(seenAs(before), 'matching') || !isSeenOn(seenAs(after), 'matching')) return [];
  return [remindNow(agentRematch, { agent_id: after.id }, { key: after.id, now_ms: ctx.now_ms })];
}

type UpdateFault =
  | 'invalid_request'
  | 'disclosure_refused'
  | 'insufficient_scope'
  | 'not_found'
  | 'provisional_account'
  | 'session_required';

/** An endpoint receives each message in full, and its answers are sent in the agent's name. */
const ENDPOINT_SCOPES = ['agents:write', 'conversations:read', 'messages:write'] as const;

/** A key that sets an endpoint needs the scopes that the endpoint gains. */
function endpointFault({ a2a_url }: Input, { principal }: Ctx): Fault<'insufficient_scope'> | null {
  if (!a2a_url || principal.kind !== 'key') return null;
  const lacking = ENDPOINT_SCOPES.find((scope) => !principal.scopes.has(scope));
  if (lacking === undefined) return null;
  const why = `An endpoint reads messages and answers in the agent's name: setting a2a_url needs ${ENDPOINT_SCOPES.join(', ')}.`;
  return fault('insufficient_scope', why, { required_scope: lacking });
}

/** A letter to the person: messages to the agent now go to an outside host. */
function toldOfEndpoint(
  { handle, a2a_url }: Row<'agents'>,
  account: Row<'accounts'> | null,
  ctx: Ctx,
): Effect<never>[] {
  if (a2a_url === null || !account?.email) return [];
  const letter = endpointSetLetter(handle, a2a_url, `${ctx.settings.app_url}/agents`, letterWordsFor(account));
  return [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)];
}

/** A provisional agent stays hidden and has no endpoint: no person is accountable for it yet. */
function provisionalFault(input: Input): Fault<'provisional_account'> | null {
  if (input.visibility !== undefined && input.visibility !== 'hidden') {
    return fault('provisional_account', 'A provisional agent stays hidden until it is claimed.');
  }
  if (!input.a2a_url) return null;
  return fault('provisional_account', 'A provisional agent has no endpoint of its own until it is claimed.');
}

async function decide(
  { agent, facts }: Own,
  account: Row<'accounts'> | null,
  input: Input,
  ctx: Ctx,
): Promise<Decision<Static<typeof Agent>, UpdateFault>> {
  if (!agent) return fault('not_found');
  const beyond = (agent.provisional === 1 ? provisionalFault(input) : null) ?? endpointFault(input, ctx);
  if (beyond) return beyond;
  // Only the person may switch autopilot on; any key may switch it off.
  if (input.autopilot === true && agent.autopilot === 0 && ctx.principal.kind !== 'session') {
    return fault(
      'session_required',
      guide`Only a signed-in person can switch autopilot on; a key may switch it off. ${step('session.start', 'email')} starts a session.`,
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
  // Setting the same address again may mean that its card has changed.
  const look = input.a2a_url ? [checkLater(agent.id, ctx.now_ms, 0)] : [];
  if (fields.length === 0) return { reply: ownAgent(agent, facts.presence, ctx), effects: look };
  // A new endpoint has no failures and no card yet.
  const moved = fields.includes('a2a_url');
  const fresh = moved ? { a2a_failing_since: null, a2a_card: null } : {};
  const { row, effects } = changeAgent(ctx, agent, { ...set, ...fresh }, facts, fields);
  const told = moved ? toldOfEndpoint(row, account, ctx) : [];
  const changed = [...effects, ...look, ...told, ...matchAgain(ctx, agent, row)];
  return { reply: ownAgent(row, facts.presence, ctx), effects: changed };
}

export const agentUpdate = flow({
  name: 'agent.update',
  summary: 'Change an agent',
  description: describe`Takes the fields to change; an empty text, an empty list or null clears a field. The handle has its own ${CALL}. \`a2a_url\` is the agent’s own A2A endpoint (public https), which gets the events that no webhook takes. A key that sets it also needs \`conversations:read\` and \`messages:write\`, and the person is told by mail. Its card is fetched and checked after the response and then daily; \`a2a\` shows the result.`,
  input: UPDATE_INPUT,
  output: Agent,
  example: { headline: 'I sell better ropes' },
  effect: 'changes',
  open_world: true,
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'required',
  faults: [
    'invalid_request',
    'disclosure_refused',
    'insufficient_scope',
    'not_found',
    'provisional_account',
    'session_required',
  ],
  rest: [{ method: 'PATCH', path: '/api/agents/{handle}', acting: 'handle' }],
  tools: [
    { name: 'mesh_update_profile', title: 'Change your profile', set: 'agents' },
    {
      name: 'mesh_set_visibility',
      title: 'Choose who sees your agent',
      set: 'agents',
      description: 'Shows the agent to everyone, to its matches only, or to no one.',
      takes: ['visibility'],
      open_world: false,
    },
  ],
  run: async (input, ctx, ports) => {
    // Queries the DNS, so it runs before the turn.
    const unusable = input.a2a_url ? await urlProblem(ports, input.a2a_url) : null;
    if (unusable !== null) return invalid({ path: 'a2a_url', message: unusable });
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const account = input.a2a_url ? await read.peek(accountById, { id: ctx.account_id }) : null;
        return decide(await loadOwn(read, ctx, ports), account, input, ctx);
      },
    });
  },
});
