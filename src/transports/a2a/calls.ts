// What the door does, whatever dialect it was asked in: the operations that each thing is made of, and what comes of them.
import { type Asking, getTask, type Performed, readerOf, refused, run } from './asking.ts';
import type { Asked, TaskPage } from './dialect.ts';
import { METHOD_NAMES } from './methods.ts';
import { cutHistory, follow, send, stream } from './sends.ts';
import type { PushConfig, Task } from './values.ts';

async function oneTask(asking: Asking, operation: string, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, operation, input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const task = ended.reply.value as Task;
  const dialect = asking.dialect(task);
  // The interface shows messages to whoever asks for them.
  const quiet = dialect.version === '0.2' && input['history_length'] === undefined;
  return { result: dialect.task(quiet ? cutHistory(task, 0) : task, readerOf(asking, ended)) };
}

async function list(asking: Asking, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, 'task.list', input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const page = ended.reply.value as TaskPage;
  return { result: asking.dialect(null).page(page, readerOf(asking, ended)) };
}

async function push(asking: Asking, operation: string, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, operation, input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const dialect = asking.dialect(null);
  const { value } = ended.reply;
  if (asking.does === 'list_push') return { result: dialect.pushConfigs(value as readonly PushConfig[]) };
  return { result: dialect.pushConfig(value as PushConfig) };
}

/** A config that is not there is as good as deleted (A2A 1.0, 3.1.10); one of no task of the caller's is not found. */
async function deletePush(asking: Asking, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, 'push_config.delete', input);
  const { deleted } = asking.dialect(null);
  if ('reply' in ended) return { result: deleted };
  const problem = refused(asking, ended);
  if (problem.error !== 'TASK_NOT_FOUND') return { problem };
  const seen = await getTask(asking, String(input['task_id']), 0);
  return 'refusal' in seen ? { problem: seen } : { result: deleted };
}

/** An operation whose value is the result in every dialect. */
async function plain(asking: Asking, operation: string, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, operation, input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const { addresses, operations } = asking.ports;
  const output = operations.get(operation)?.output;
  return { result: output ? JSON.parse(ended.reply.textFor(addresses, output)) : ended.reply.value };
}

/** What a client of the oldest dialect learns at the begin (interface.md, Agent-to-agent JSON-RPC). */
async function initialize({ ports: { base_url }, enter }: Asking): Promise<Performed> {
  const barred = await enter('initialize', false);
  if (barred) return { problem: barred };
  const capabilities = { streaming: true, pushNotifications: true, stateTransitionHistory: true };
  return {
    result: {
      name: 'Meshwork',
      protocol_version: '0.2.0',
      versions: ['0.2', '0.3', '1.0'],
      capabilities,
      methods: METHOD_NAMES,
      agent_card: `${base_url}/.well-known/agent.json`,
    },
  };
}

export function perform(asking: Asking, asked: Asked): Promise<Performed> {
  switch (asking.does) {
    case 'send':
      return send(asking, asked);
    case 'stream':
      return stream(asking, asked);
    case 'get':
      return oneTask(asking, 'task.get', asked);
    case 'cancel':
      return oneTask(asking, 'task.cancel', asked);
    case 'follow':
      return follow(asking, asked);
    case 'list':
      return list(asking, asked);
    case 'create_push':
      return push(asking, 'push_config.create', asked);
    case 'read_push':
      return push(asking, 'push_config.read', asked);
    case 'list_push':
      return push(asking, 'push_config.list', asked);
    case 'delete_push':
      return deletePush(asking, asked);
    case 'card':
      return plain(asking, 'agent.extended_card', asked);
    case 'discover':
      return plain(asking, 'agent.discover', asked);
    case 'ping':
      return plain(asking, 'agent.ping', asked);
    case 'initialize':
      return initialize(asking);
  }
}
