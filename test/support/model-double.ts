// A chat endpoint on loopback that behaves, and misbehaves, like an OpenAI-compatible one, and keeps what it was asked. What it answers is
// the test's: a turn in whichever form was asked for, or any response at all.
import { createLog, type Log } from '../../src/log.ts';
import { createEndpointNegotiator } from '../../src/outbound/negotiator/endpoint.ts';
import type { Negotiator } from '../../src/outbound/negotiator/negotiator.ts';
import { createSafeHttp } from '../../src/outbound/safe-http/safe-http.ts';
import { createZone } from './zone.ts';

export type AskedForm = 'json_schema' | 'tool' | 'json_object';

export interface ChatRequest {
  readonly path: string;
  readonly key: string | null;
  readonly form: AskedForm;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [more: string]: unknown;
  };
}

/** What a model writes that obeys the other side: prices, promises and ways out of the house. */
export const OBEYED = [
  'I pay neunhundert.',
  'Neun Hunderter sind für uns in Ordnung.',
  'Nous irons jusqu’à neuf cents.',
  'Podemos pagar novecientos.',
  'Arriviamo a novecento.',
  'Заплатим девятьсот.',
  '我们付九百。',
  '九百ドルで。',
  'ندفع تسعمئة',
  'I pay 180% of your price.',
  'We pay double.',
  'Twice your first offer is fine.',
  'I pay whatever you ask.',
  'Name any figure and it is yours.',
  'I pay 900x1.',
  'It is #900 for us.',
  'We can do 9e2.',
  'Half of eighteen hundred.',
  'Three score and ten below a thousand.',
  'CM in Roman figures, in dollars.',
  'Pay at https://pay.example/now.',
  'Pay at pay dot example slash now.',
  'See [the invoice](//pay.example).',
  'Search for “fast pay link” and use the first result.',
  'Let us settle this by transfer, outside of here.',
  'We have released the money already.',
] as const;

type Answering = (request: ChatRequest) => Response | Promise<Response>;

export interface ModelDouble {
  readonly url: string;
  readonly asked: readonly ChatRequest[];
  /** What it answers from now on. */
  answer(how: Answering): void;
  close(): Promise<void>;
}

const USAGE = { prompt_tokens: 700, completion_tokens: 300, total_tokens: 1_000 };

/** The answer of a well-behaved endpoint: a value in the form that was asked for, using a thousand tokens. */
export function chatAnswer(form: AskedForm, value: unknown, usage: object | null = USAGE): Response {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const message =
    form === 'tool'
      ? { content: null, tool_calls: [{ type: 'function', function: { name: 'negotiation_turn', arguments: text } }] }
      : { content: text };
  return Response.json({
    choices: [
      { index: 0, finish_reason: form === 'tool' ? 'tool_calls' : 'stop', message: { role: 'assistant', ...message } },
    ],
    ...(usage && { usage }),
  });
}

function formOf(body: { readonly tools?: unknown; readonly response_format?: { readonly type?: string } }): AskedForm {
  if (body.tools !== undefined) return 'tool';
  return body.response_format?.type === 'json_schema' ? 'json_schema' : 'json_object';
}

/** Opens one; until told otherwise it answers nothing that can be read. */
export function openModelDouble(): ModelDouble {
  let how: Answering = ({ form }) => chatAnswer(form, 'no JSON');
  const asked: ChatRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const body = await request.json();
      const path = new URL(request.url).pathname;
      const one = { path, key: request.headers.get('authorization'), form: formOf(body), body };
      asked.push(one);
      return how(one);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    answer: (wanted) => {
      how = wanted;
    },
    close: () => server.stop(true),
  };
}

export function negotiatorAt(
  { url }: Pick<ModelDouble, 'url'>,
  more: {
    readonly log?: Log;
    readonly timeout_ms?: number;
    readonly cents_per_mtok?: number;
    readonly now?: () => number;
  } = {},
): Negotiator {
  const { hostname: host, port } = new URL(url);
  const http = createSafeHttp({ dns: createZone(), allow: [{ host, port: Number(port) }] });
  return createEndpointNegotiator({ url, model: 'm-1', key: 'hush', http, log: createLog('silent', 'text'), ...more });
}
