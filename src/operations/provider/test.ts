// Sends a test call to a provider's address at once, signed as every call and marked as a test. It changes no counter and is free.
import { Type } from 'typebox';
import { providerById } from '../../../db/queries/router.ts';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ATTEMPT_MS } from '../../domain/router/call.ts';
import { inRotation } from '../../domain/router/provider.ts';
import { words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { EndpointCheck } from '../../schemas/router.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { nullable, PathId } from '../../schemas/wire.ts';
import { checkView } from '../../steps/router/contract.ts';
import { dispatch, dispatchBody } from '../../steps/router/dispatch.ts';

/** The shown part of an answer. */
const PREVIEW_MAX = 1_000;

export const providerTest = flow({
  name: 'provider.test',
  summary: 'Test an offer',
  description:
    'Sends the payload to the address as a call would, with X-Service-Test: true. Not charged, and not counted.',
  input: Type.Object({
    id: PathId,
    payload: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'default: an empty object' })),
  }),
  output: namedObject('ProviderTrial', 'the result of a test', {
    ...EndpointCheck.properties,
    body_preview: words(nullable(Type.String(), 'the first 1,000 characters of the answer')),
    in_rotation: Type.Boolean(),
  }),
  example: { id: SAMPLE.provider_id, payload: { text: 'Where is the harbour?', to: 'fr' } },
  effect: 'adds',
  open_world: true,
  access: 'key',
  scope: 'router:provide',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/router/providers/{id}/test' }],
  tools: [{ name: 'mesh_test_provider', title: 'Test an offer', set: 'market', extension: true }],
  run: async ({ id, payload = {} }, ctx, ports) => {
    const row = await ctx.read(providerById, { id });
    if (row?.agent_id !== actor(ctx).id) return fault('not_found');
    const body = dispatchBody(row.capability, payload);
    const tried = await dispatch(ports, ctx, row, { call_id: ctx.id(), body, test: true, deadline_ms: ATTEMPT_MS });
    const { verdict } = tried;
    const body_preview = verdict.served ? JSON.stringify(verdict.result).slice(0, PREVIEW_MAX).toWellFormed() : null;
    return ctx.turn({
      final: true,
      attempt: async () => ({ reply: { ...checkView(tried), body_preview, in_rotation: inRotation(row) } }),
    });
  },
});
