// A call that waits for a person, who has to open an address first: the operation says so by a refusal that holds it, and each
// revision tells its client in its own way. Whether the person did, the operation alone knows.

import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Type } from 'typebox';
import { command } from '../../../src/contract/operation.ts';
import { fault } from '../../../src/domain/fault.ts';
import { HOUR_MS } from '../../../src/domain/time.ts';
import { newAgent } from '../../support/agents.ts';
import { type RpcAnswer, rpc, STATELESS } from '../../support/mcp.ts';
import { sharedService } from '../../support/opened.ts';

const URL = 'https://mesh.example/verify/7';
const MESSAGE = 'Prove that you are there, and come back.';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const WITH_URLS = { _meta: { [CAPABILITIES]: { elicitation: { url: {} } } } };

let is_done = false;

const waiting = command({
  name: 'test.wait',
  summary: 'Waits for a person',
  input: Type.Object({ n: Type.Optional(Type.Integer()) }),
  output: Type.Object({ done: Type.Boolean() }),
  effect: 'changes',
  access: 'key',
  scope: 'any',
  faults: ['verification_required'],
  tools: [{ name: 'mesh_test_wait', title: 'Wait', set: 'account' }],
  load: async () => null,
  decide: () =>
    is_done
      ? { reply: { done: true } }
      : fault('verification_required', 'Complete one verification first.', {
          open_url: { url: URL, message: MESSAGE },
        }),
});

const t = sharedService({}, 'memory', { mcp: { operations: [waiting] } });
let key: string;
let other: string;
beforeAll(async () => {
  ({ key } = await newAgent(t, { handle: 'ada' }));
  ({ key: other } = await newAgent(t, { handle: 'bob' }));
});
beforeEach(() => {
  is_done = false;
});

interface More {
  readonly by?: string;
  readonly given?: Record<string, unknown>;
  readonly params?: Record<string, unknown>;
}

function call(revision: string, { by = key, given = {}, params = {} }: More = {}): Promise<RpcAnswer> {
  return rpc(t, 'tools/call', { name: 'mesh_test_wait', arguments: given, ...params }, { key: by, revision });
}

test('2025-11-25 has a code of its own for it', async () => {
  const { status, body } = await call('2025-11-25');
  expect([status, body.error.code]).toEqual([200, -32042]);
  const [first] = body.error.data.elicitations;
  expect(first).toMatchObject({ mode: 'url', url: URL, message: MESSAGE });
  const [second] = (await call('2025-11-25')).body.error.data.elicitations;
  expect(second.elicitationId).not.toBe(first.elicitationId);
  is_done = true;
  expect((await call('2025-11-25')).body.result.structuredContent).toEqual({ done: true });
});

test.each(['2025-06-18', '2024-11-05', STATELESS])(
  '%s without the capability tells the model, as any refusal',
  async (revision) => {
    const { result } = (await call(revision)).body;
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0].text)).toMatchObject({
      error: 'verification_required',
      open_url: { url: URL, message: MESSAGE },
    });
  },
);

describe('2026-07-28', () => {
  const first = async (more: More = {}): Promise<{ requestState: string }> => {
    const { body } = await call(STATELESS, { ...more, params: WITH_URLS });
    expect(body.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        open_url: { method: 'elicitation/create', params: { mode: 'url', url: URL, message: MESSAGE } },
      },
    });
    return body.result;
  };
  const again = (requestState: unknown, action = 'accept', more: More = {}): Promise<RpcAnswer> =>
    call(STATELESS, {
      ...more,
      params: { ...WITH_URLS, requestState, inputResponses: { open_url: { action } } },
    });

  test('asks, and is done when the call comes again after the person was there', async () => {
    const { requestState } = await first();
    is_done = true;
    expect((await again(requestState)).body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { done: true },
    });
  });

  test('is done under the same idempotency key, since a refusal that waits for a person is not kept', async () => {
    const _meta = { ...WITH_URLS._meta, 'meshwork/idempotencyKey': 'once' };
    const { body } = await call(STATELESS, { params: { _meta } });
    is_done = true;
    const { requestState } = body.result;
    const brought = { _meta, requestState, inputResponses: { open_url: { action: 'accept' } } };
    expect((await call(STATELESS, { params: brought })).body.result.structuredContent).toEqual({ done: true });
  });

  test('asks again where the person was not there, whatever the client says', async () => {
    const { requestState } = await first();
    expect((await again(requestState)).body.result).toMatchObject({ resultType: 'input_required' });
  });

  test.each(['decline', 'cancel'])('tells the model where the person would %s', async (action) => {
    const { requestState } = await first();
    expect((await again(requestState, action)).body.result).toMatchObject({ resultType: 'complete', isError: true });
  });

  test('takes back only what it gave, to this caller, for this call, within the hour', async () => {
    const { requestState } = await first();
    is_done = true;
    const refused = async (answer: Promise<RpcAnswer>) =>
      expect((await answer).body.error).toMatchObject({ code: -32602 });
    await refused(again(`${requestState}x`));
    await refused(again(7));
    await refused(again(requestState, 'accept', { by: other }));
    await refused(again(requestState, 'accept', { given: { n: 1 } }));
    await refused(call(STATELESS, { params: { ...WITH_URLS, requestState, inputResponses: [] } }));
    await refused(call(STATELESS, { params: { ...WITH_URLS, requestState, inputResponses: { open_url: 1 } } }));
    await t.advance(HOUR_MS);
    await refused(again(requestState));
  });
});
