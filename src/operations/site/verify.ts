// Proves a domain by a TXT record: answers the record to publish, and once it is published makes the claim (interface.md
// item 6; rules.md 5). A failure of the DNS is a successful answer that says so.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parseDomain } from '../../outbound/domain-name.ts';
import { Trust } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { claimDomain, noteSharing } from '../../steps/claim.ts';
import { domainRecord, recordStandingInTime } from '../../steps/outside.ts';

export const siteVerify = flow({
  name: 'site.verify',
  noun: 'Proof of a domain by a DNS record.',
  summary: 'Prove a domain',
  description:
    'Call it once to get the TXT record, publish it in the DNS of the domain, and call again. The record must stay: ' +
    'it is checked daily. An agent may prove several domains; a domain backs one agent.',
  input: Type.Object({
    domain: Type.String({ minLength: 1, maxLength: 300, description: 'a registered domain or a subdomain' }),
  }),
  output: namedObject('SiteVerification', 'whether a domain is proven, or the record that proves it', {
    verified: Type.Boolean(),
    domain: Type.String({ description: 'in lower case and punycode' }),
    record: Type.Optional(
      Type.Object(
        { name: Type.String(), type: Type.String(), value: Type.String() },
        { description: 'to be published' },
      ),
    ),
    note: Type.Optional(Type.String({ description: 'why it is not verified yet' })),
    handle: Type.Optional(Type.String()),
    trust: Type.Optional(Trust),
  }),
  example: { domain: SAMPLE.domain },
  effect: 'changes',
  open_world: true,
  access: 'session',
  agent: 'required',
  faults: ['not_found', 'invalid_request', 'credential_in_use', 'conflict'],
  rest: [{ method: 'POST', path: '/api/trust/domain/verify' }],
  run: async (input, ctx, ports) => {
    const parsed = parseDomain(input.domain);
    if (isFault(parsed)) return parsed;
    const { domain } = parsed;
    const record = domainRecord(ctx.secrets.code_key, actor(ctx).id, domain);
    const standing = await recordStandingInTime(ports, domain, record);
    if (standing.is !== 'standing') return { reply: { verified: false, domain, record, note: standing.note } };
    const outcome = await ctx.turn({
      final: true,
      attempt: async (read) => {
        const own = await loadOwn(read, ctx, ports);
        if (!own.agent) return fault('not_found');
        const { row, effects } = claimDomain(ctx, own.agent, own, domain);
        const { handle, trust_score: score, credentials } = row;
        return { reply: { verified: true, domain, handle, trust: { score, credentials: [...credentials] } }, effects };
      },
    });
    const shared = isFault(outcome)
      ? noteSharing(outcome, actor(ctx).id, { provider: 'domain', external_id: domain }, ctx)
      : [];
    if (shared.length > 0)
      await ctx.turn({ agent_id: actor(ctx).id, attempt: async () => ({ reply: null, effects: shared }) });
    return outcome;
  },
});
