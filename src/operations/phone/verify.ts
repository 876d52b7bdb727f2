// Proves a phone number by its code. One number backs one agent in the whole network, by the unique key of claims; the
// first proof of any kind opens the verification gate and publishes the listings that waited for it.
import { Type } from 'typebox';
import { claimByExternal } from '../../../db/queries/agent.ts';
import { codeById } from '../../../db/queries/identity.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parsePhone } from '../../outbound/phone.ts';
import { Trust } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Code6, Phone } from '../../schemas/wire.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { markAgent } from '../../steps/agent/partners.ts';
import { proveClaim } from '../../steps/claim.ts';
import { checkCode, codeId } from '../../steps/session/code.ts';

export const phoneVerify = command({
  name: 'phone.verify',
  summary: 'Prove a phone',
  description: 'Takes the code of the last text message. `phone` is optional; if given it must be that number.',
  input: Type.Object({ phone: Type.Optional(Phone), code: Code6 }),
  output: namedObject('PhoneVerification', 'whether the number is proven', {
    verified: Type.Boolean(),
    handle: Type.String(),
    trust: Trust,
  }),
  example: { phone: SAMPLE.phone, code: SAMPLE.phone_code },
  effect: 'changes',
  access: 'session',
  agent: 'required',
  faults: ['not_found', 'invalid_phone', 'invalid_code', 'too_many_tries', 'credential_in_use'],
  rest: [{ method: 'POST', path: '/api/trust/phone/verify' }],
  load: async (read, _input, ctx, ports) => {
    const code = await read(codeById, { id: codeId('phone', actor(ctx).id) });
    const external_id = code?.data['phone'] ?? '';
    const taken = await read.peek(claimByExternal, { provider: 'phone', external_id });
    return { ...(await loadOwn(read, ctx, ports)), code, taken };
  },
  decide: ({ agent, code, claims, facts, taken }, input, ctx) => {
    if (!agent) return fault('not_found');
    const given = input.phone === undefined ? null : parsePhone(input.phone);
    if (isFault(given)) return given;
    const phone = code?.data.phone;
    if (phone === undefined || (given && given.e164 !== phone)) return fault('invalid_code');
    const checked = checkCode(code, input.code, ctx);
    if (isFault(checked)) return checked;
    // The correct code proves that both agents share the phone.
    if (taken && taken.agent_id !== agent.id) {
      return { ...fault('credential_in_use'), effects: markAgent(agent, 'phone', phone, ctx) };
    }
    const proof = { provider: 'phone', external_id: phone, replaces: true } as const;
    const { row, effects } = proveClaim(ctx, agent, { claims, facts }, proof);
    return {
      reply: {
        verified: true,
        handle: row.handle,
        trust: { score: row.trust_score, credentials: [...row.credentials] },
      },
      effects: [...checked.effects, ...effects],
    };
  },
});
