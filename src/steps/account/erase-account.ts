// What is a deleted account's own and more than rows of its own hangs on: agents that came late, and the devices that were counted.

import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { passkeysOfAccount } from '../../../db/queries/identity.ts';
import { pushSubscriptionsOfAccount } from '../../../db/queries/notification.ts';
import type { StagedAs } from '../../../db/schema/owners.ts';
import { removeBrowsers } from '../browser.ts';
import { removePasskeys } from '../passkey.ts';
import type { AccountStage, Named } from './erase.ts';
import { ownedStages } from './erase-owned.ts';
import { withoutName } from './leave.ts';

/** An agent that a call made which was under way when the account was left. Whoever finds one begins anew with it. */
export const born: AccountStage = async (read, account_id) => {
  const rows = await read(agentsOfAccount, { account_id });
  return ({ now_ms }) => ({ effects: rows.flatMap((agent) => withoutName(agent, now_ms)), after: rows[0]?.id ?? null });
};

/** There are few of them; one slice takes all. */
const STAGED: Readonly<Record<StagedAs<'account'>, AccountStage>> = {
  passkeys: async (read, account_id) => {
    const effects = removePasskeys(account_id, await read(passkeysOfAccount, { account_id }));
    return () => ({ effects, after: null });
  },
  push_subscriptions: async (read, account_id) => {
    const effects = removeBrowsers(account_id, await read(pushSubscriptionsOfAccount, { account_id }));
    return () => ({ effects, after: null });
  },
};

/** After its agents. */
export const OF_ACCOUNTS: Named<AccountStage> = [...ownedStages('accounts'), ...Object.entries(STAGED)];
