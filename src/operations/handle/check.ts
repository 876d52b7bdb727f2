// Tells whether a handle could be claimed now. It answers 200 for every text: an invalid handle is unavailable (Q108).
import { Type } from 'typebox';
import { handleById } from '../../../db/queries/agent.ts';
import { query } from '../../contract/operation.ts';
import { handleFault } from '../../domain/disclosure/disclosure.ts';
import { isFault } from '../../domain/fault.ts';
import { isReserved, parseHandle } from '../../domain/identity/handle.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { isHeld } from '../../steps/handle/claim.ts';

export const handleCheck = query({
  name: 'handle.check',
  noun: 'Handles: check and reserve one.',
  summary: 'Check whether a handle is free',
  input: Type.Object({ handle: Type.String() }),
  output: namedObject('HandleCheck', 'whether a handle is free', {
    available: Type.Boolean(),
    handle: Type.String({ description: 'in canonical form' }),
    reason: Type.Optional(
      Type.Enum(['invalid', 'reserved', 'taken'], {
        description:
          'invalid: not a valid handle; reserved: by the service; taken: by an agent, an old handle or a reservation',
      }),
    ),
  }),
  example: { handle: SAMPLE.handle },
  access: 'public',
  any_origin: true,
  rest: [{ method: 'GET', path: '/api/agents/check/{handle}' }],
  tools: [{ name: 'mesh_check_handle', title: 'Check whether a handle is free', set: 'discovery', extension: true }],
  run: async (read, input, ctx) => {
    const handle = parseHandle(input.handle);
    if (isFault(handle)) return { available: false, handle: input.handle, reason: 'invalid' as const };
    const { platform_handle } = ctx.settings;
    // A handle must not be contact data either.
    const unclaimable = isReserved(handle, platform_handle) || handleFault(handle) !== null;
    if (unclaimable) return { available: false, handle, reason: 'reserved' as const };
    const row = await read(handleById, { id: handle });
    return isHeld(row, ctx.now_ms)
      ? { available: false, handle, reason: 'taken' as const }
      : { available: true, handle };
  },
});
