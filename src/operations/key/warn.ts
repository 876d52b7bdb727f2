// Mails a person that a key which is in use ends in a week. A key that was renewed or revoked by then, or that nothing uses, is no news.
import { Type } from 'typebox';
import { accountById, keyById, keyUseById } from '../../../db/queries/identity.ts';
import { keyEndsLetter } from '../../outbound/mailer/letters.ts';
import { KEY_WARN_MS, WARN_OF_KEY } from '../../steps/key.ts';
import { sendLetter } from '../../steps/letter.ts';
import { command } from '../operation.ts';

/** What was not used for so long is not in use. */
const IN_USE_MS = 30 * 86_400_000;

export const keyWarn = command({
  ...WARN_OF_KEY,
  summary: 'Tell the person that a key ends',
  output: Type.Object({ told: Type.Boolean() }),
  effect: 'adds',
  open_world: true,
  access: 'internal',
  faults: [],
  rest: [],
  load: async ({ peek }, { key_id: id }) => {
    const key = await peek(keyById, { id });
    return {
      key,
      use: await peek(keyUseById, { id }),
      account: key && (await peek(accountById, { id: key.account_id })),
    };
  },
  decide: ({ key, use, account }, _input, ctx) => {
    const left_ms = (key?.expires_at ?? 0) - ctx.now_ms;
    const used_at = Math.max(key?.used_at ?? 0, use?.last_used_at ?? 0);
    const stands = key !== null && key.revoked_at === null && key.successor_id === null;
    if (!stands || !account?.email || left_ms <= 0 || left_ms > KEY_WARN_MS || used_at < ctx.now_ms - IN_USE_MS) {
      return { reply: { told: false } };
    }
    const until = new Date(key.expires_at).toISOString().slice(0, 10);
    const letter = keyEndsLetter(key.name, key.prefix, until, `${ctx.settings.app_url}/keys`);
    return { reply: { told: true }, effects: [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] };
  },
});
