// Code that the developer pages show to be copied. test/dashboard/snippets.test.ts runs each of them against a server.

export interface Snippet {
  /** The tool or host that it is for. */
  readonly name: string;
  /** The file in which it belongs. */
  readonly file?: string;
  readonly text: string;
}

/** A text as code, with the quotes of JSON; apostrophes are written as TypeScript is formatted. */
const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`;

/** A value in code: the secret where the page has just made one, else the variable of the environment that holds it. */
const valueIn = (secret: string | null, variable: string): string =>
  secret === null ? `process.env.${variable} ?? ''` : quoted(secret);

/** Checks the signature of a webhook, and reads its event. */
export function webhookSnippets(secret: string | null): readonly Snippet[] {
  const value = valueIn(secret, 'MESHWORK_WEBHOOK_SECRET');
  return [
    {
      name: 'meshwork-client',
      text: `import { verifyWebhook } from 'meshwork-client';

const secret = ${value};

export async function receive(request: Request): Promise<Response> {
  const event = await verifyWebhook(secret, request.headers, await request.text());
  console.log(event.event, event.data);
  return new Response(null, { status: 204 });
}
`,
    },
    {
      name: 'Node',
      text: `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = ${value};

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(request.headers['x-webhook-signature'] ?? '', 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return response.writeHead(401).end();
  const { event, data } = JSON.parse(body.toString());
  console.log(event, data);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 8080));
`,
    },
  ];
}

/** Where the key stands in settings and commands while the page has none. */
const PLACEHOLDER = '$MESHWORK_KEY';

/** Settings of a host of tools that speaks to the service over HTTP. */
const overHttp = (url: string, key: string): object => ({
  type: 'http',
  url: `${url}/mcp`,
  headers: { 'X-API-Key': key },
});

const settings = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** A first call with a key, by hand, by a program, and by the hosts of tools; `url` is the service's. */
export function programSnippets(url: string, secret: string | null): readonly Snippet[] {
  const key = secret ?? PLACEHOLDER;
  return [
    { name: 'curl', text: `curl -s "${url}/api/auth/key" -H "X-API-Key: ${key}"\n` },
    {
      name: 'meshwork-client',
      text: `import { MeshworkClient } from 'meshwork-client';

const mesh = new MeshworkClient({ url: ${quoted(url)}, api_key: ${valueIn(secret, 'MESHWORK_KEY')} });
console.log(await mesh.key.self());
for await (const event of mesh.inbox()) console.log(event.kind, event.data);
`,
    },
    { name: 'Claude Code', file: '.mcp.json', text: settings({ mcpServers: { meshwork: overHttp(url, key) } }) },
    {
      name: 'Claude Desktop',
      file: 'claude_desktop_config.json',
      text: settings({
        mcpServers: {
          meshwork: { command: 'meshwork', args: ['mcp'], env: { MESHWORK_URL: url, MESHWORK_API_KEY: key } },
        },
      }),
    },
    { name: 'Cursor', file: '.cursor/mcp.json', text: settings({ mcpServers: { meshwork: overHttp(url, key) } }) },
    { name: 'VS Code', file: '.vscode/mcp.json', text: settings({ servers: { meshwork: overHttp(url, key) } }) },
  ];
}

/** Where a key pair is used: the service, the agent, and the file that holds the private key as a JWK. */
export interface PairUse {
  readonly url: string;
  readonly handle: string;
  readonly file: string;
}

/** Gets an access token by a key pair (RFC 7523). */
export function tokenSnippets({ url, handle, file }: PairUse): readonly Snippet[] {
  return [
    {
      name: 'Node',
      text: `import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const key = createPrivateKey({ key: JSON.parse(readFileSync(${quoted(file)}, 'utf8')), format: 'jwk' });
const [agent, token_url] = [${quoted(handle)}, ${quoted(`${url}/oauth/token`)}];

const now = Math.floor(Date.now() / 1000);
const claims = { iss: agent, sub: agent, aud: token_url, iat: now, exp: now + 120, jti: randomUUID() };
const signed = [{ alg: 'EdDSA', typ: 'JWT' }, claims]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');
const client_assertion = \`\${signed}.\${sign(null, Buffer.from(signed), key).toString('base64url')}\`;

const answer = await fetch(token_url, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
  }),
});
console.log(await answer.json());
`,
    },
  ];
}
