// Agents of others with an A2A endpoint, over real sockets on loopback: the official SDK's server for 1.0 and 0.3 over JSON-RPC, and
// small ones of our own for 1.0 over HTTP and for the oldest dialect. What an agent does is the first word of what it is told.
import { type AgentCard, type Artifact, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from '@a2a-js/sdk/server';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came.
export type Json = any;

/** An agent that answers: `echo` by a message, `task` by a task that is done, `slow` by one that is done once `finish` was
 * called, `ask` by one that waits for another message, `fail` by one that failed; `big` by more words than a
 * message may have. */
export interface A2aServer {
  readonly url: string;
  /** The bodies that came, oldest first, each with its headers. */
  readonly calls: readonly { readonly path: string; readonly headers: Headers; readonly body: Json }[];
  /** Lets the slow tasks be done. */
  finish(): void;
  /** Answers everything with this status from now on; null for as it should. */
  fail(status: number | null): void;
  close(): Promise<void>;
}

const text = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: '',
});

function said(value: string, taskId: string, contextId: string): Message {
  return {
    messageId: crypto.randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [text(value)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function made(value: string): Artifact {
  return {
    artifactId: crypto.randomUUID(),
    name: 'result',
    description: '',
    parts: [text(value)],
    metadata: undefined,
    extensions: [],
  };
}

function wordsOf({ parts }: Message): string {
  return parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n');
}

/** The agent behind the SDK's servers. */
class Executor implements AgentExecutor {
  finish: PromiseWithResolvers<void> = Promise.withResolvers();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId } = context;
    const words = wordsOf(context.userMessage);
    const task = (state: TaskState, message?: string, artifacts: Artifact[] = []): Task => ({
      id: taskId,
      contextId,
      status: { state, message: message ? said(message, taskId, contextId) : undefined, timestamp: undefined },
      artifacts,
      history: context.task?.history ?? [context.userMessage],
      metadata: undefined,
    });
    if (context.task) {
      bus.publish(AgentEvent.task(task(TaskState.TASK_STATE_COMPLETED, undefined, [made(`went on with ${words}`)])));
    } else if (words.startsWith('task')) {
      bus.publish(AgentEvent.task(task(TaskState.TASK_STATE_COMPLETED, undefined, [made(`did ${words}`)])));
    } else if (words.startsWith('ask')) {
      bus.publish(AgentEvent.task(task(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which colour?')));
    } else if (words.startsWith('fail')) {
      bus.publish(AgentEvent.task(task(TaskState.TASK_STATE_FAILED, 'I cannot.')));
    } else if (words.startsWith('slow')) {
      bus.publish(AgentEvent.task(task(TaskState.TASK_STATE_WORKING)));
      await this.finish.promise;
      bus.publish(AgentEvent.task(task(TaskState.TASK_STATE_COMPLETED, undefined, [made(`did ${words}`)])));
    } else if (words.startsWith('big')) {
      bus.publish(AgentEvent.message(said('x'.repeat(60_000), '', contextId)));
    } else bus.publish(AgentEvent.message(said(`echo: ${words}`, '', contextId)));
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined };
    bus.publish(
      AgentEvent.task({ id: taskId, contextId: '', status, artifacts: [], history: [], metadata: undefined }),
    );
    this.finish.resolve();
    bus.finished();
  }
}

interface Speaks {
  readonly card: (url: string) => Json;
  handle(path: string, body: Json, headers: Headers): Promise<Json>;
}

function listen(speaks: (url: string) => Speaks, finish: () => void): A2aServer {
  const calls: { path: string; headers: Headers; body: Json }[] = [];
  let failing: number | null = null;
  let made: Speaks | null = null;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: async (request): Promise<Response> => {
      const { pathname: path } = new URL(request.url);
      if (failing !== null) return new Response(null, { status: failing });
      if (path.endsWith('/.well-known/agent-card.json')) return Response.json(made?.card(url));
      if (request.method === 'GET' && path.startsWith('/.well-known')) return new Response(null, { status: 404 });
      const body = request.method === 'GET' ? null : await request.json();
      calls.push({ path, headers: request.headers, body });
      return Response.json(await made?.handle(path, body, request.headers));
    },
  });
  const url = `http://127.0.0.1:${server.port}/`;
  made = speaks(url);
  return {
    url,
    calls,
    finish,
    fail: (status) => {
      failing = status;
    },
    close: () => server.stop(true),
  };
}

const card = (url: string, protocolVersion: string): AgentCard => ({
  name: 'Another',
  description: 'Somebody else’s agent.',
  supportedInterfaces: [{ url: `${url}rpc`, protocolBinding: 'JSONRPC', protocolVersion, tenant: '' }],
  provider: undefined,
  version: '1',
  capabilities: { streaming: true, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [],
});

/** The SDK's server over JSON-RPC. */
export function startSdkServer(version: '0.3' | '1.0'): A2aServer {
  const executor = new Executor();
  return listen(
    (url) => {
      const requests = new DefaultRequestHandler(card(url, version), new InMemoryTaskStore(), executor);
      const transport =
        version === '1.0' ? new JsonRpcTransportHandler(requests) : new LegacyJsonRpcTransportHandler(requests);
      const old = { protocolVersion: '0.3.0', url: `${url}rpc`, preferredTransport: 'JSONRPC', name: 'Another' };
      return {
        card: () => (version === '1.0' ? card(url, version) : old),
        handle: (_path, body, headers) =>
          transport.handle(body, new ServerCallContext({ requestedVersion: headers.get('a2a-version') ?? '0.3' })),
      };
    },
    () => executor.finish.resolve(),
  );
}

const PART = (value: string, discriminator?: string) =>
  discriminator ? { [discriminator]: 'text', text: value } : { text: value };

/** An agent of 1.0 over HTTP, or of the oldest dialect; its tasks are done at once, but for slow ones. */
export function startPlainServer(dialect: '0.2' | '1.0'): A2aServer {
  let finished = false;
  const tasks = new Map<string, Json>();
  const state = (name: string): string => (dialect === '1.0' ? `TASK_STATE_${name.toUpperCase()}` : name);
  const part = (value: string) => PART(value, dialect === '0.2' ? 'type' : undefined);
  const taskOf = (id: string, words: string): Json => {
    const slow = words.startsWith('slow') && !finished;
    const task = { id, contextId: 'c1', words, status: { state: state(slow ? 'working' : 'completed') } };
    return slow ? task : { ...task, artifacts: [{ artifactId: 'a1', parts: [part(`did ${words}`)] }] };
  };
  const send = (id: string, message: Json): Json => {
    const words = message.parts.flatMap((each: Json) => each.text ?? []).join('\n');
    const task = taskOf(id, words);
    tasks.set(id, task);
    return task;
  };
  const look = (id: string): Json => taskOf(id, tasks.get(id)?.words ?? '');
  const cancel = (id: string): Json => ({ ...look(id), status: { state: state('canceled') } });
  const overHttp: Speaks = {
    card: (url) => ({
      ...card(url, '1.0'),
      supportedInterfaces: [{ url: `${url}http`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' }],
    }),
    handle: async (path, body) => {
      const [, id = ''] = /\/tasks\/([^:/]+)/.exec(path) ?? [];
      if (path === '/http/message:send') return { task: send(`remote-${tasks.size}`, body.message) };
      return path.endsWith(':cancel') ? cancel(id) : look(id);
    },
  };
  const oldest: Speaks = {
    card: (url) => ({ name: 'Old', url: `${url}old`, version: '1', authentication: { schemes: [] } }),
    handle: async (_path, { id, method, params }) => {
      const does: Record<string, () => Json> = {
        'tasks/send': () => send(params.id, params.message),
        'tasks/get': () => look(params.id),
        'tasks/cancel': () => cancel(params.id),
      };
      const run = does[method];
      return run
        ? { jsonrpc: '2.0', id, result: run() }
        : { jsonrpc: '2.0', id, error: { code: -32_601, message: '' } };
    },
  };
  return listen(
    () => (dialect === '1.0' ? overHttp : oldest),
    () => {
      finished = true;
    },
  );
}
