// What is a deleted account's own, taken away: its keys and sessions, which stood no more, its settings, where it was paid to.
import { apply, remove } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { outsideOfAccount, passkeysOfAccount } from '../../../db/queries/identity.ts';
import { allGrants, allKeys, allSessions, planPages } from '../../../db/queries/leaving.ts';
import { notificationSettings, pushSubscriptionsOfAccount } from '../../../db/queries/notification.ts';
import { payeeById } from '../../../db/queries/processor.ts';
import { removeBrowsers } from '../browser.ts';
import { removePasskeys } from '../passkey.ts';
import { type AccountStage, consuming, SLICE, walking } from './erase.ts';
import { withoutName } from './leave.ts';

/** An agent that a call made which was under way when the account was left. Whoever finds one begins anew with it. */
export const born: AccountStage = async (read, account_id) => {
  const rows = await read(agentsOfAccount, { account_id });
  return ({ now_ms }) => ({ effects: rows.flatMap((agent) => withoutName(agent, now_ms)), after: rows[0]?.id ?? null });
};

const keys: AccountStage = async (read, account_id) => {
  const rows = await read(allKeys, { account_id, limit: SLICE });
  return consuming(rows, (row) => [remove('api_keys', row)]);
};

const sessions: AccountStage = async (read, account_id) => {
  const rows = await read(allSessions, { account_id, limit: SLICE });
  return consuming(rows, (row) => [remove('sessions', row)]);
};

/** There are few of them; one slice takes all. */
const devices: AccountStage = async (read, account_id) => {
  const [known, pushed] = await Promise.all([
    read(passkeysOfAccount, { account_id }),
    read(pushSubscriptionsOfAccount, { account_id }),
  ]);
  const effects = [...removePasskeys(account_id, known), ...removeBrowsers(account_id, pushed)];
  return () => ({ effects, after: null });
};

const grants: AccountStage = async (read, account_id) => {
  const rows = await read(allGrants, { account_id, limit: SLICE });
  return consuming(rows, (row) => [remove('oauth_grants', row)]);
};

const pages: AccountStage = async (read, account_id, after) => {
  const rows = await read(planPages, { account_id, after, limit: SLICE });
  return walking(rows, ({ id }) => [apply('plan_checkouts', id, () => ({ url: null }))]);
};

const singles: AccountStage = async (read, account_id) => {
  const [settings, payee, outside] = await Promise.all([
    read(notificationSettings, { id: account_id }),
    read(payeeById, { id: account_id }),
    read(outsideOfAccount, { account_id }),
  ]);
  return () => ({
    effects: [
      ...(settings ? [remove('notification_settings', settings)] : []),
      ...(payee ? [remove('payees', payee)] : []),
      // Who comes again from an identity provider elsewhere is somebody new.
      ...(outside ? [remove('outside_identities', outside)] : []),
    ],
    after: null,
  });
};

/** After its agents. */
export const OWN: readonly AccountStage[] = [keys, sessions, devices, grants, pages, singles];
