// Completes the proof of an account on another site: exchanges the code for the person's account there, which proves the agent. A
// response is valid once, in the session that started the proof. The request is consumed before the site is called, so that a
// repeated response fails.
import { type Static, Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import type { AccountHost, Identified } from '../../outbound/account-host/account-host.ts';
import { AccountSiteName } from '../../schemas/account.ts';
import { Trust } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { loadAgent } from '../../steps/agent/load.ts';
import { noteSharing, proveClaim } from '../../steps/claim.ts';
import { lookLater, returnAddress, secretsOfState, TRADE_MS } from '../../steps/proof/asking.ts';
import { readAskedProof } from '../../steps/session/find.ts';

const DECLINED = 'You did not allow that site to identify you; nothing was proven.';

/** The parameters of the redirect back. */
const Brought = Type.Object({
  provider: AccountSiteName,
  state: Type.String({ maxLength: 200 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
  iss: Type.Optional(Type.String({ maxLength: 512 })),
});

type Input = Static<typeof Brought>;
type Asked = { readonly agent_id: string; readonly next: string };

/** Consumes the request; another session finds none. */
async function useUp({ provider, state }: Input, ctx: FlowCtx): Promise<Asked | Fault> {
  const outcome = await ctx.turn<Asked, 'gone'>({
    attempt: async (read) => {
      const row = await readAskedProof(read, 'proof', state, ctx.now_ms);
      if (isFault(row)) return row;
      const { session_id, agent_id = '', next = '', provider: begun_at } = row.data;
      if (session_id !== ctx.principal.credential_id || begun_at !== provider) return fault('gone');
      return { reply: { agent_id, next }, effects: [remove('codes', row)] };
    },
  });
  return isFault(outcome) ? outcome : outcome.reply;
}

/** Asks the site for the account of the code. */
async function identify(host: AccountHost, { provider, state, code = '', iss }: Input, ctx: FlowCtx, ports: FlowPorts) {
  const redirect_uri = returnAddress(ctx.settings, provider);
  const back = { redirect_uri, code, iss: iss ?? null, ...secretsOfState(state, ctx) };
  const work = (gone: AbortSignal): Promise<Identified> => host.identify(back, gone);
  const answer = await ports.tasks.call({ hosts: host.hosts, deadline_ms: TRADE_MS, looks: true, work });
  return answer ?? { is: 'silent' as const };
}

export const trustFinish = flow({
  name: 'trust.finish',
  needed_by: 'a person who returns from the site at which an account is proven',
  summary: 'Return from a site on which an account is proven',
  input: Brought,
  output: namedObject('AccountProven', 'an account that proves an agent', {
    verified: Type.Boolean(),
    handle: Type.String(),
    trust: Trust,
    next: Type.String({ description: 'a path of this site; empty if none was requested' }),
  }),
  example: { provider: 'github', state: SAMPLE.proof_state, code: SAMPLE.proof_code },
  effect: 'changes',
  open_world: true,
  access: 'session',
  faults: [
    'not_found',
    'gone',
    'access_denied',
    'proof_refused',
    'credential_in_use',
    'provider_not_configured',
    'provider_unavailable',
  ],
  run: async (input, ctx, ports) => {
    const host = ports.hosts[input.provider];
    if (!host) return fault('provider_not_configured');
    const asked = await useUp(input, ctx);
    if (isFault(asked)) return asked as Fault<'gone'>;
    if (input.code === undefined)
      return input.error === 'access_denied' ? fault('access_denied', DECLINED) : fault('proof_refused');
    const known = await identify(host, input, ctx, ports);
    if (known.is === 'silent') return fault('provider_unavailable');
    if (known.is === 'refused') return fault('proof_refused');
    const proof = { provider: host.kind, external_id: known.external_id, replaces: true };
    const outcome = await ctx.turn({
      agent_id: asked.agent_id,
      final: true,
      attempt: async (read) => {
        const own = await loadAgent(read, ports, asked.agent_id);
        if (!own.agent || own.agent.account_id !== ctx.account_id) return fault('not_found');
        const now = { ...ctx, now_ms: ports.clock.now() };
        const { row, claim, effects } = proveClaim(now, own.agent, own, proof);
        const { handle, trust_score: score, credentials } = row;
        return {
          reply: { verified: true, handle, trust: { score, credentials: [...credentials] }, next: asked.next },
          effects: [...effects, ...(claim ? [lookLater(claim.id, now.now_ms)] : [])],
        };
      },
    });
    const shared = isFault(outcome) ? noteSharing(outcome, asked.agent_id, proof, ctx) : [];
    if (shared.length > 0)
      await ctx.turn({ agent_id: asked.agent_id, attempt: async () => ({ reply: null, effects: shared }) });
    return outcome;
  },
});
