// Ends what lets somebody in to an account: keys, passkeys, sessions, programs. A slice a turn, each asking for the next before the reply.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { openGrants, passkeysOfAccount, sessionsOfAccount, workingKeys } from '../../../db/queries/identity.ts';
import { pushSubscriptionsOfAccount } from '../../../db/queries/notification.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../operations/context.ts';
import { Id } from '../../schemas/wire.ts';
import { removeBrowsers } from '../browser.ts';
import { endPairs } from '../key-pair.ts';
import { removePasskeys } from '../passkey.ts';
import { remindNow } from '../reminder.ts';

/** The call that goes on with it. What was made after `until` stays: its person has begun anew. */
export const REVOKE_REST = {
  name: 'account.revoke_rest',
  input: Type.Object({ account_id: Id, until: Type.Integer() }),
} as const;

const SLICE = 100;

/** What the next slice ends. */
export async function revokeSlice(read: Read, account_id: string, until: number, ctx: Ctx): Promise<Effect<never>[]> {
  const { now_ms } = ctx;
  const [keys, sessions, grants, passkeys, browsers, agents] = await Promise.all([
    read(workingKeys, { account_id, now_ms, limit: SLICE }),
    read(sessionsOfAccount, { account_id, now_ms, before: HIGHEST_ID, limit: SLICE }),
    read(openGrants, { account_id, limit: SLICE }),
    read(passkeysOfAccount, { account_id }),
    read(pushSubscriptionsOfAccount, { account_id }),
    read(agentsOfAccount, { account_id }),
  ]);
  const old = <T extends { readonly created_at: number }>(rows: readonly T[]): T[] =>
    rows.filter(({ created_at }) => created_at <= until);
  const ended = [
    ...old(keys).map((row) => patch('api_keys', row, { revoked_at: now_ms })),
    ...old(sessions).map((row) => patch('sessions', row, { ended_at: now_ms })),
    ...old(grants).map((row) => patch('oauth_grants', row, { ended_at: now_ms })),
    ...removePasskeys(account_id, old(passkeys)),
    ...removeBrowsers(account_id, old(browsers)),
    ...endPairs(
      agents.filter(({ key_pair }) => key_pair !== null && key_pair.created_at <= until),
      ctx,
    ),
  ];
  const full = [keys, sessions, grants].some((rows) => rows.length === SLICE);
  if (!full || ended.length === 0) return ended;
  return [...ended, remindNow(REVOKE_REST, { account_id, until }, { key: account_id, now_ms })];
}
