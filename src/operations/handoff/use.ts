// A person uses their agent's link, which consumes it. The link of an unclaimed agent claims it, and the agent's key fetches its
// successor within ten minutes. The link of another person's agent does nothing and stays valid.
import { Type } from 'typebox';
import { insert, remove } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { HandoffPurpose, HandoffToken } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { NullableText } from '../../schemas/wire.ts';
import { readClaimable } from '../../steps/agent/load.ts';
import { claimAgent, claimedKeyEnds, successorId } from '../../steps/provision/claim.ts';
import { readHandoff } from '../../steps/session/find.ts';

const NOT_YOURS = 'That agent belongs to another account; sign in with the address that it belongs to.';

export const handoffUse = command({
  name: 'handoff.use',
  needed_by: 'the page that a handoff link opens',
  summary: 'Use a handoff link',
  input: Type.Object({ token: HandoffToken }),
  output: namedObject('HandoffUsed', 'a used link', {
    purpose: HandoffPurpose,
    handle: NullableText,
    claimed: Type.Boolean({ description: 'whether this account claimed the agent with it' }),
  }),
  example: { token: SAMPLE.handoff_token },
  effect: 'changes',
  access: 'session',
  faults: ['not_found', 'gone', 'not_a_party', 'plan_limit', 'conflict'],
  load: async (read, { token }, ctx, ports) => {
    const handoff = await readHandoff(read, token, ctx);
    if (isFault(handoff)) return { handoff, claimable: null, account: null };
    const account = await read(accountById, { id: ctx.account_id });
    const unclaimed = handoff.agent?.provisional === 1 ? handoff.agent : null;
    const claimable = unclaimed && (await readClaimable(read, unclaimed.id, ctx.now_ms, ports));
    return { handoff, claimable, account };
  },
  decide: ({ handoff, claimable, account }, _input, ctx) => {
    if (isFault(handoff)) return handoff;
    const { row, purpose, agent } = handoff;
    const handle = agent?.handle ?? null;
    if (!claimable) {
      if (row.data['account_id'] !== ctx.account_id) return fault('not_a_party', NOT_YOURS);
      return { reply: { purpose, handle, claimed: false }, effects: [remove('codes', row)] };
    }
    if (!account?.email) return fault('not_found');
    const claim = claimAgent(claimable, { account, known: account, effects: [] }, ctx);
    const fetched = { id: successorId(claimable.agent.id), hash: '', data: {}, sent_at: ctx.now_ms };
    return {
      reply: { purpose, handle, claimed: true },
      effects: [
        remove('codes', row),
        ...claim.effects,
        insert('codes', { ...fetched, expires_at: claimedKeyEnds(ctx.now_ms) }),
      ],
    };
  },
});
