// What every request of the door for tools keeps to, whatever it asks: the revisions and their envelopes, who may come, and what
// is answered to what is no request.
import { beforeAll, describe, expect, test } from 'bun:test';
import { post, type RpcAnswer, rpc, STATELESS, statelessMeta } from '../../support/mcp.ts';
import { sharedService } from '../../support/opened.ts';
import { signUp } from '../../support/testbed.ts';

const t = sharedService();
let key: string;
beforeAll(async () => {
  key = await signUp(t, 'tools@example.org');
});

const HANDSHAKE = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const ALL = [null, ...HANDSHAKE, STATELESS];

const codeOf = ({ status, body }: RpcAnswer): unknown => [status, body.error?.code];

describe('a handshake', () => {
  const initialize = (protocolVersion: unknown, headers = {}) =>
    rpc(
      t,
      'initialize',
      { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      { key, headers },
    );

  test('comes to the revision that is asked for, else to the newest that has one', async () => {
    for (const version of HANDSHAKE) expect((await initialize(version)).body.result.protocolVersion).toBe(version);
    for (const version of ['1999-01-01', STATELESS]) {
      expect((await initialize(version)).body.result.protocolVersion).toBe('2025-11-25');
    }
  });

  test('tells who answers, what it can do and how to begin, and begins no session', async () => {
    const { body, headers } = await initialize('2025-11-25');
    expect(body.result).toMatchObject({ serverInfo: { name: 'meshwork' }, capabilities: { tools: {} } });
    expect(body.result.instructions).toContain('mesh_onboarding_status');
    expect(headers.has('mcp-session-id')).toBe(false);
  });

  test('without a revision is refused by name', async () => {
    const answer = await initialize(7);
    expect(codeOf(answer)).toEqual([200, -32602]);
    expect(answer.body.error.data.fields[0].path).toBe('protocolVersion');
  });

  test('may be answered by a notification, which is taken and not answered', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const answer = await post(t, body, { key, revision: '2025-11-25' });
    expect([answer.status, answer.body]).toEqual([202, null]);
  });
});

describe('a stateless request', () => {
  test('finds out what is here by asking', async () => {
    const { body } = await rpc(t, 'server/discover', {}, { key, revision: STATELESS });
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'public' });
    expect(body.result.supportedVersions).toContain(STATELESS);
    expect(body.result._meta['io.modelcontextprotocol/serverInfo']).toMatchObject({ name: 'meshwork' });
  });

  const send = (params: object, headers: Record<string, string>) =>
    post(t, JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list', params }), { key, headers });
  const said = { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': 'tools/list' };

  test('without its envelope is refused', async () => {
    for (const left_out of ['protocolVersion', 'clientCapabilities']) {
      const _meta = statelessMeta();
      delete _meta[`io.modelcontextprotocol/${left_out}`];
      const answer = await send({ _meta }, said);
      expect([codeOf(answer), answer.body.id]).toEqual([[400, -32602], 5]);
      expect(answer.body.error.message).toContain(left_out);
    }
    expect(codeOf(await send({}, said))).toEqual([400, -32602]);
    const { 'io.modelcontextprotocol/clientInfo': _name, ..._meta } = statelessMeta();
    expect((await send({ _meta }, said)).status).toBe(200);
  });

  test('whose headers do not say what the body says is refused', async () => {
    const params = { _meta: statelessMeta() };
    const wrong: readonly Record<string, string>[] = [
      { 'Mcp-Method': 'tools/list' },
      { ...said, 'MCP-Protocol-Version': '2025-11-25' },
      { 'MCP-Protocol-Version': STATELESS },
      { ...said, 'Mcp-Method': 'TOOLS/LIST' },
    ];
    for (const headers of wrong)
      expect([headers, codeOf(await send(params, headers))]).toEqual([headers, [400, -32020]]);
  });

  test('repeats the name of a tool in a header, in base64 where it is written so', async () => {
    const call = (headers: Record<string, string>) =>
      rpc(t, 'tools/call', { name: 'mesh_get_limits' }, { key, revision: STATELESS, headers });
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    for (const name of ['mesh_get_limits', '  mesh_get_limits ', encoded('mesh_get_limits')]) {
      expect((await call({ 'Mcp-Name': name })).status).toBe(200);
    }
    for (const name of ['', 'mesh_get_inbox', encoded('mesh_get_inbox'), '=?base64?bWVzaF9nZXRfbGltaXR?=']) {
      expect([name, codeOf(await call({ 'Mcp-Name': name }))]).toEqual([name, [400, -32020]]);
    }
  });

  test('of an unknown revision is told which there are', async () => {
    const answer = await send({ _meta: statelessMeta('v999') }, { ...said, 'MCP-Protocol-Version': 'v999' });
    expect(codeOf(answer)).toEqual([400, -32022]);
    expect(answer.body.error.data).toEqual({ supported: expect.arrayContaining(ALL.slice(1)), requested: 'v999' });
  });
});

test('a header with an unknown revision is refused with those that are spoken', async () => {
  const answer = await rpc(t, 'tools/list', {}, { key, revision: '2023-01-01' });
  expect(codeOf(answer)).toEqual([400, -32022]);
  expect(answer.body.error.data.supported).toContain('2025-11-25');
});

test('a method that a revision does not have is told with those that it has', async () => {
  for (const method of ['initialize', 'ping', 'unknown/method']) {
    const answer = await rpc(t, method, {}, { key, revision: STATELESS });
    expect(codeOf(answer)).toEqual([404, -32601]);
    expect(answer.body.error.data.supported).toEqual(expect.arrayContaining(['server/discover', 'tools/call']));
  }
  const older = await rpc(t, 'server/discover', {}, { key, revision: '2025-11-25' });
  expect(codeOf(older)).toEqual([200, -32601]);
  expect(older.body.error.data.supported).toEqual(expect.arrayContaining(['initialize', 'ping', 'tools/list']));
});

test('a ping is answered by nothing', async () => {
  expect((await rpc(t, 'ping', {}, { key })).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});

describe('a caller without a credential that stands', () => {
  test('is told by which metadata it gets one', async () => {
    for (const revision of ALL) {
      const answer = await rpc(t, 'tools/list', {}, { revision });
      expect(codeOf(answer)).toEqual([401, -31401]);
      expect(answer.headers.get('www-authenticate')).toContain(
        'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
      );
    }
    const wrong = await rpc(t, 'tools/list', {}, { key: `${key}x` });
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('is told so before anything that is wrong with the request', async () => {
    expect((await post(t, '{')).status).toBe(401);
  });
});

describe('a page of a stranger', () => {
  const from = (headers: Record<string, string>) => rpc(t, 'tools/list', {}, { key, headers });

  test('cannot call, by whatever name it reaches the service', async () => {
    for (const origin of ['https://evil.example.com', 'null', 'http://localhost.evil.example.com', 'file://x']) {
      expect([origin, (await from({ Origin: origin })).status]).toEqual([origin, 403]);
    }
    for (const host of ['evil.example.com', 'localhost.evil.example.com:80', '127.0.0.1.evil.example.com']) {
      expect([host, (await from({ Host: host })).status]).toEqual([host, 403]);
    }
  });

  test('is told apart from programs, and from pages of this machine', async () => {
    for (const origin of ['http://localhost', 'http://localhost:6274', 'http://127.0.0.1:8080', 'http://[::1]:80']) {
      expect([origin, (await from({ Origin: origin })).status]).toEqual([origin, 200]);
    }
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080', 'meshwork:80']) {
      expect([host, (await from({ Host: host })).status]).toEqual([host, 200]);
    }
  });
});

describe('what is no request', () => {
  test('is refused with the code of what is wrong with it', async () => {
    const wrong: readonly [string, number, number][] = [
      ['{"jsonrpc":"2.0"', 400, -32700],
      ['', 400, -32700],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32602],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${'['.repeat(100)}${']'.repeat(100)}}}`, 400, -32600],
    ];
    for (const [body, status, code] of wrong) {
      expect([body, codeOf(await post(t, body, { key }))]).toEqual([body, [status, code]]);
    }
  });

  test('is refused for its size alone when it is too long', async () => {
    const answer = await post(t, ' '.repeat(10_000_000), { key });
    expect(codeOf(answer)).toEqual([413, -32600]);
    expect(answer.body.error.data).toMatchObject({ error: 'payload_too_large', limit_bytes: 262_144 });
  });
});

test('other HTTP methods are told which there are', async () => {
  const answer = await t.fetch(
    new Request('http://localhost/mcp', { method: 'DELETE', headers: { 'X-API-Key': key } }),
  );
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
});
