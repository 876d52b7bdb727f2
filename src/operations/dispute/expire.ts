// Decides a dispute without a timely answer fully in favour of its opener.
import { Type } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { disputeById, evidenceOf } from '../../../db/queries/dispute.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import { command } from '../../contract/operation.ts';
import { allTo, phaseAt } from '../../domain/escrow/dispute.ts';
import { disputeDueLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { EXPIRE_DISPUTE } from '../../steps/dispute/expire.ts';
import { openerSide } from '../../steps/dispute/find.ts';
import { resolveDispute } from '../../steps/dispute/resolve.ts';
import { readEscrow } from '../../steps/escrow/find.ts';
import { sendLetter } from '../../steps/letter.ts';
import { remind } from '../../steps/reminder.ts';

export const disputeExpire = command({
  ...EXPIRE_DISPUTE,
  summary: 'Decide an unanswered dispute',
  output: Type.Object({ defaulted: Type.Boolean() }),
  effect: 'destroys',
  open_world: true,
  access: 'internal',
  faults: ['conflict', 'open_obligations'],
  load: async (read, { dispute_id }) => {
    const dispute = await read(disputeById, { id: dispute_id });
    const state = dispute && (await readEscrow(read, dispute.escrow_id));
    if (!dispute || !state) return null;
    const respondent = await read.peek(agentById, { id: dispute.respondent });
    const account = respondent && (await read.peek(accountById, { id: respondent.account_id }));
    const wants = account && (await read.peek(notificationSettings, { id: account.id }));
    const zone = wants?.quiet_hours?.tz;
    return { dispute, state, evidence: await read(evidenceOf, { dispute_id }), to: account, zone };
  },
  decide: (found, { warned }, ctx) => {
    const phase = found && phaseAt(found.dispute, ctx.now_ms);
    if (found && phase === 'open') {
      // A day before the deadline, or on a node whose clock is behind: it is scheduled again, and the person is reminded once.
      const { id, respond_by, escrow_id } = found.dispute;
      const at = { at: respond_by, key: id, now_ms: ctx.now_ms };
      const again = remind(EXPIRE_DISPUTE, { dispute_id: id, warned: true }, at);
      const { to, zone } = found;
      const due = { until: respond_by, zone };
      const letter = disputeDueLetter(due, `${ctx.settings.app_url}/escrows/${escrow_id}`, letterWordsFor(to));
      const told = warned || !to?.email ? [] : [sendLetter({ channel: 'mail', to: to.email, ...letter }, ctx)];
      return { reply: { defaulted: false }, effects: [again, ...told] };
    }
    if (!found || phase !== 'overdue') return { reply: { defaulted: false } };
    const split = allTo(openerSide(found), found.dispute.unreleased_cents);
    return { reply: { defaulted: true }, effects: resolveDispute(ctx, found, 'defaulted', split).effects };
  },
});
