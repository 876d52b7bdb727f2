// What the cases of the A2A test kit (a2aproject/a2a-tck, for protocol 1.0 over JSON-RPC) speak with: one agent of a service, as a
// client with a key sees it. The kit's own runner is a Python program that does not install here; each of its cases stands in a
// table under its own name, with what it asserts, or with the reason why it cannot apply.
import { expect } from 'bun:test';
import { callRpc, type RpcAnswer } from '../../support/a2a.ts';
import type { TestService } from '../../support/testbed.ts';

/** An agent under test: the platform's, which answers each task at once, or one that leaves it working. */
export interface Sut {
  readonly t: TestService;
  readonly handle: string;
  readonly key: string;
}

export interface TckCase {
  /** The file of the kit, and the case in it. */
  readonly name: string;
  readonly run?: (sut: Sut) => Promise<void>;
  /** Only on one kind of agent. */
  readonly only?: 'platform' | 'ordinary';
  /** Why it does not apply. */
  readonly reason?: string;
}

const addressOf = ({ handle }: Sut): string => `/a2a/agents/${handle}/`;

export function callSut(
  sut: Sut,
  method: string,
  params: object = {},
  key: string | null = sut.key,
): Promise<RpcAnswer> {
  return callRpc(sut.t, { method, params }, { path: addressOf(sut), ...(key !== null && { key }) });
}

/** A body as it is, not made of a call. */
export function sendRaw(sut: Sut, body: unknown): Promise<RpcAnswer> {
  return callRpc(sut.t, typeof body === 'string' ? body : JSON.stringify(body), { path: addressOf(sut), key: sut.key });
}

let messages = 0;

export function messageOf(text: string, more: object = {}) {
  messages += 1;
  return { messageId: `tck-${messages}`, role: 'ROLE_USER', parts: [{ text }], ...more };
}

/** Sends a message without waiting: an ordinary agent may take days, where the kit expects an answer in seconds. */
export function sendMessage(sut: Sut, message: object, configuration: object = {}): Promise<RpcAnswer> {
  return callSut(sut, 'SendMessage', { message, configuration: { returnImmediately: true, ...configuration } });
}

/** A task that was made; fails where none was. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
export async function makeTask(sut: Sut, text: string, more: object = {}): Promise<any> {
  const { body } = await sendMessage(sut, messageOf(text, more));
  expect(body).toMatchObject({ result: { task: {} } });
  return body.result.task;
}

export async function expectError(answer: Promise<RpcAnswer>, code: number): Promise<void> {
  const { body } = await answer;
  expect(body.error?.code).toBe(code);
  expect(body.error.message.length).toBeGreaterThan(0);
}

export const TASK_STATES = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_COMPLETED',
];

/** The events of a stream that has ended, or of as many as `count`. */
export async function eventsOf(sut: Sut, method: string, params: object, count = Number.POSITIVE_INFINITY) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': sut.key };
  const response = await sut.t.fetch(
    new Request(`http://localhost${addressOf(sut)}`, { method: 'POST', body, headers }),
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
  const events: any[] = [];
  let rest = '';
  while (events.length < count) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) break;
    const blocks = (rest + chunk.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data) events.push(JSON.parse(data.slice(6)));
    }
  }
  await reader?.cancel();
  return { response, events };
}
