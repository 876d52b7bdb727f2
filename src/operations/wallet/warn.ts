// Mails a person that a wallet runs low, unless it was funded meanwhile.
import { Type } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { guardedBalance } from '../../../db/queries/ledger.ts';
import { walletById } from '../../../db/queries/wallet.ts';
import { command } from '../../contract/operation.ts';
import { LOW_BALANCE_CENTS } from '../../domain/money/low-balance.ts';
import { lowBalanceLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { sendLetter } from '../../steps/letter.ts';
import { WARN } from '../../steps/money/low-balance.ts';

export const walletWarn = command({
  ...WARN,
  summary: 'Warn the person of a low balance',
  output: Type.Object({ told: Type.Boolean() }),
  effect: 'adds',
  open_world: true,
  access: 'internal',
  load: async ({ peek }, { agent_id: id }) => {
    const agent = await peek(agentById, { id });
    return {
      agent,
      account: agent && (await peek(accountById, { id: agent.account_id })),
      wallet: await peek(walletById, { id }),
      balance: await peek(guardedBalance, { id: `wallet:${id}` }),
    };
  },
  decide: ({ agent, account, wallet, balance }, _input, ctx) => {
    const low_cents = wallet?.low_balance_cents ?? LOW_BALANCE_CENTS;
    const balance_cents = balance?.balance_cents ?? 0;
    if (!agent || agent.deactivated_at !== null || !account?.email || balance_cents >= low_cents) {
      return { reply: { told: false } };
    }
    const url = `${ctx.settings.app_url}/wallet?agent=${agent.handle}`;
    const letter = lowBalanceLetter(agent.handle, { balance_cents, low_cents }, url, letterWordsFor(account));
    return { reply: { told: true }, effects: [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] };
  },
});
