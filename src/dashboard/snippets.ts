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
