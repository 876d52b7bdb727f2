// Tells the human that a webhook was disabled after failures, unless it was enabled again or deleted meanwhile.
import { Type } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { webhookById } from '../../../db/queries/webhook.ts';
import { command } from '../../contract/operation.ts';
import { ENDED } from '../../delivery/settle.ts';
import { step } from '../../domain/next-step.ts';
import { webhookEndedLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { sendLetter } from '../../steps/letter.ts';

export const webhookEnded = command({
  ...ENDED,
  summary: 'Tell the person that a webhook was deactivated',
  output: Type.Object({ told: Type.Boolean() }),
  effect: 'adds',
  open_world: true,
  access: 'internal',
  load: async (read, { webhook_id }, { addresses }) => {
    const row = await read(webhookById, { id: webhook_id });
    const agent = row && (await read.peek(agentById, { id: row.agent_id }));
    const account = agent && (await read.peek(accountById, { id: agent.account_id }));
    const calls = {
      logs: addresses.text(step('webhook.logs', 'id')),
      enable: addresses.text(step('webhook.enable', 'id')),
    };
    return { row, agent, account, calls };
  },
  decide: ({ row, agent, account, calls }, _input, ctx) => {
    if (!row || row.active === 1 || !agent || !account?.email) return { reply: { told: false } };
    const letter = webhookEndedLetter(agent.handle, row.url, row.failure_count, calls, letterWordsFor(account));
    return { reply: { told: true }, effects: [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)] };
  },
});
