// Warns a week before a key in use expires: its agent, which can renew it, by an event, and its person by a letter, as settings allow
// and whether or not the event was delivered. A letter held back by quiet hours is scheduled again alone. Renewed, revoked and unused
// keys cause no warning.

import { Type } from 'typebox';
import { agentById, agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountById, keyById, keyUseById } from '../../../db/queries/identity.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import { command } from '../../contract/operation.ts';
import { ownLetterTime } from '../../domain/inbox/notification-settings.ts';
import { DAY_MS } from '../../domain/time.ts';
import { keyEndsLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { settingsOf } from '../../schemas/notification.ts';
import { iso } from '../../schemas/wire.ts';
import { tell } from '../../steps/event.ts';
import { KEY_WARN_MS, WARN_OF_KEY } from '../../steps/key.ts';
import { sendLetter } from '../../steps/letter.ts';
import { remind } from '../../steps/reminder.ts';

/** A key counts as in use for so long after its last use. */
const IN_USE_MS = 30 * DAY_MS;

export const keyWarn = command({
  ...WARN_OF_KEY,
  summary: 'Warn before a key ends',
  output: Type.Object({ told: Type.Boolean() }),
  effect: 'adds',
  open_world: true,
  access: 'internal',
  load: async ({ peek }, { key_id: id }) => {
    const key = await peek(keyById, { id });
    if (!key) return null;
    const { account_id, agent_id } = key;
    return {
      key,
      use: await peek(keyUseById, { id }),
      account: await peek(accountById, { id: account_id }),
      settings: settingsOf(await peek(notificationSettings, { id: account_id })),
      // For a key of the whole account, its oldest agent is told.
      agent:
        agent_id === null ? (await peek(agentsOfAccount, { account_id }))[0] : await peek(agentById, { id: agent_id }),
    };
  },
  decide: (found, { key_id, told }, ctx) => {
    if (!found) return { reply: { told: false } };
    const { key, use, account, settings, agent } = found;
    const { now_ms } = ctx;
    const left_ms = key.expires_at - now_ms;
    const used_at = Math.max(key.used_at ?? 0, use?.last_used_at ?? 0);
    const stands = key.revoked_at === null && key.successor_id === null;
    if (!stands || !account?.email || left_ms <= 0 || left_ms > KEY_WARN_MS || used_at < now_ms - IN_USE_MS) {
      return { reply: { told: false } };
    }
    const expires_at = iso(key.expires_at);
    const at = ownLetterTime(settings, 'key.expiring', now_ms);
    const told_now = !told && agent && agent.deactivated_at === null;
    const event = told_now ? [tell(ctx, agent, 'key.expiring', { key_id, prefix: key.prefix, expires_at })] : [];
    if (at === null) return { reply: { told: true }, effects: event };
    if (at > now_ms) {
      const later = remind(WARN_OF_KEY, { key_id, told: true }, { at, key: key_id, now_ms });
      return { reply: { told: true }, effects: [...event, later] };
    }
    const words = letterWordsFor(account);
    const letter = keyEndsLetter(key.name, key.prefix, key.expires_at, `${ctx.settings.app_url}/keys`, words);
    const mail = sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx);
    return { reply: { told: true }, effects: [...event, mail] };
  },
});
