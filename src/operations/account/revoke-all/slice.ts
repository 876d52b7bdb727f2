// Ends every credential and outgoing connection of an account, a slice at a time: keys, sessions, grants, passkeys, browsers,
// webhooks, push configs, and the key pairs and endpoints of its agents.
import { type Static, Type } from 'typebox';
import { type Effect, patch, remove } from '../../../../db/effects.ts';
import { activeWebhooks, pushConfigsOfAccount, reachedAgents } from '../../../../db/queries/access.ts';
import { openGrants, passkeysOfAccount, sessionsOfAccount, workingKeys } from '../../../../db/queries/identity.ts';
import { pushSubscriptionsOfAccount } from '../../../../db/queries/notification.ts';
import { HIGHEST_ID } from '../../../../db/query.ts';
import type { Row } from '../../../../db/schema/tables.ts';
import type { Read } from '../../../../db/store.ts';
import type { Ctx } from '../../../contract/context.ts';
import type { AccessToEnd } from '../../../schemas/account.ts';
import { Id } from '../../../schemas/wire.ts';
import { removeBrowsers } from '../../../steps/browser.ts';
import { tell } from '../../../steps/event.ts';
import { NO_KEY_PAIR } from '../../../steps/key.ts';
import { removePasskeys } from '../../../steps/passkey.ts';
import { countPushConfigs, DELIVER } from '../../../steps/push-config.ts';
import { remindNow, unremind } from '../../../steps/reminder.ts';

/** The call of the next slice. Credentials made after `until` stay: they belong to the person's new start. */
export const REVOKE_REST = {
  name: 'account.revoke_rest',
  input: Type.Object({
    account_id: Id,
    until: Type.Integer(),
    only: Type.Optional(Type.Enum(['sign_in', 'sessions'])),
  }),
} as const;

/** Everything by default; `sign_in`: sessions, passkeys and browsers with push. */
export type RevokedOnly = Static<typeof REVOKE_REST.input>['only'];

const SLICE = 100;

interface Ending {
  readonly keys: readonly Row<'api_keys'>[];
  readonly sessions: readonly Row<'sessions'>[];
  readonly grants: readonly Row<'oauth_grants'>[];
  readonly passkeys: readonly Row<'passkeys'>[];
  readonly browsers: readonly Row<'push_subscriptions'>[];
  readonly webhooks: readonly { readonly webhook: Row<'webhooks'>; readonly handle: string }[];
  readonly configs: readonly { readonly config: Row<'push_configs'> }[];
  readonly agents: readonly Row<'agents'>[];
}

const NOTHING: Ending = {
  keys: [],
  sessions: [],
  grants: [],
  passkeys: [],
  browsers: [],
  webhooks: [],
  configs: [],
  agents: [],
};

/** What there is to end, of each kind at most one slice. */
async function readEnding(read: Read, account_id: string, now_ms: number, only?: RevokedOnly): Promise<Ending> {
  const some = { account_id, limit: SLICE };
  if (only !== undefined) {
    const [sessions, passkeys, browsers] = await Promise.all([
      read(sessionsOfAccount, { ...some, now_ms, before: HIGHEST_ID }),
      only === 'sign_in' ? read(passkeysOfAccount, { account_id }) : [],
      only === 'sign_in' ? read(pushSubscriptionsOfAccount, { account_id }) : [],
    ]);
    return { ...NOTHING, sessions, passkeys, browsers };
  }
  const [keys, sessions, grants, passkeys, browsers, webhooks, configs, agents] = await Promise.all([
    read(workingKeys, { ...some, now_ms }),
    read(sessionsOfAccount, { ...some, now_ms, before: HIGHEST_ID }),
    read(openGrants, some),
    read(passkeysOfAccount, { account_id }),
    read(pushSubscriptionsOfAccount, { account_id }),
    read(activeWebhooks, some),
    read(pushConfigsOfAccount, some),
    read(reachedAgents, some),
  ]);
  return { keys, sessions, grants, passkeys, browsers, webhooks, configs, agents };
}

const old = <T extends { readonly created_at: number }>(rows: readonly T[], until: number): T[] =>
  rows.filter(({ created_at }) => created_at <= until);

/** Removes key pair and endpoint of an agent. */
function withdrawn(agent: Row<'agents'>, ctx: Ctx): Effect<never>[] {
  const fields = [...(agent.public_key === null ? [] : ['public_key']), ...(agent.a2a_url === null ? [] : ['a2a_url'])];
  const set = { ...NO_KEY_PAIR, a2a_url: null, a2a_card: null, a2a_failing_since: null, updated_at: ctx.now_ms };
  return [patch('agents', agent, set), tell(ctx, agent, 'agent.updated', { fields })];
}

/** The effects of the next slice, and the call for the one after it. */
function endingEffects(
  found: Ending,
  { account_id, until, only }: Static<typeof REVOKE_REST.input>,
  ctx: Ctx,
): Effect<never>[] {
  const { now_ms } = ctx;
  const ended = [
    ...old(found.keys, until).map((row) => patch('api_keys', row, { revoked_at: now_ms })),
    ...old(found.sessions, until).map((row) => patch('sessions', row, { ended_at: now_ms })),
    ...old(found.grants, until).map((row) => patch('oauth_grants', row, { ended_at: now_ms })),
    ...removePasskeys(account_id, old(found.passkeys, until)),
    ...removeBrowsers(account_id, old(found.browsers, until)),
    ...found.webhooks
      .filter(({ webhook }) => webhook.created_at <= until)
      .map(({ webhook }) => patch('webhooks', webhook, { active: 0 })),
    ...found.configs
      .filter(({ config }) => config.created_at <= until)
      .flatMap(({ config }) => [
        remove('push_configs', config),
        // A count downwards is never refused.
        countPushConfigs(config.task_id, -1) as Effect<never>,
        unremind(DELIVER, config.id),
      ]),
    ...found.agents.flatMap((agent) => withdrawn(agent, ctx)),
  ];
  const full = Object.values(found).some((rows) => rows.length === SLICE);
  if (!full || ended.length === 0) return ended;
  return [
    ...ended,
    remindNow(
      REVOKE_REST,
      { account_id, until, ...(only && { only }) },
      { key: only ? `${account_id}:${only}` : account_id, now_ms },
    ),
  ];
}

/** The summary for the person, before and after. */
function told({
  keys,
  sessions,
  grants,
  passkeys,
  browsers,
  webhooks,
  configs,
  agents,
}: Ending): Static<typeof AccessToEnd> {
  const many = [keys, sessions, grants, webhooks, configs, agents].some((rows) => rows.length === SLICE);
  return {
    keys: keys.length,
    sessions: sessions.length,
    programs: grants.length,
    passkeys: passkeys.length,
    browsers: browsers.length,
    push_configs: configs.length,
    webhooks: webhooks.map(({ webhook, handle }) => ({ id: webhook.id, agent_handle: handle, url: webhook.url })),
    key_pairs: agents.flatMap(({ handle, fingerprint }) =>
      fingerprint ? [{ agent_handle: handle, fingerprint }] : [],
    ),
    endpoints: agents.flatMap(({ handle, a2a_url }) => (a2a_url ? [{ agent_handle: handle, url: a2a_url }] : [])),
    and_more: many,
  };
}

/** The summary of what would be ended now. */
export async function readAccess(read: Read, account_id: string, now_ms: number): Promise<Static<typeof AccessToEnd>> {
  return told(await readEnding(read, account_id, now_ms));
}

/** The next slice: its summary and its effects. */
export async function revokeSlice(
  read: Read,
  asked: Static<typeof REVOKE_REST.input>,
  ctx: Ctx,
): Promise<{ ended: Static<typeof AccessToEnd>; effects: Effect<never>[] }> {
  const found = await readEnding(read, asked.account_id, ctx.now_ms, asked.only);
  return { ended: told(found), effects: endingEffects(found, asked, ctx) };
}
