// Faults in the door for models' tools: answers of strangers that are taken, streams that tell too much or outlive too long, states
// that anybody could make.
import type { Fault } from './fault.ts';

const MCP = 'src/transports/mcp';
const REQUESTS = ['test/transports/mcp/client-requests.test.ts'];
const STATE = ['test/transports/mcp/request-state.test.ts'];
const LISTENING = ['test/transports/mcp/listening.test.ts'];
const WAITING = ['test/transports/mcp/open-url.test.ts'];
const ASKING = ['test/transports/mcp/asking.test.ts'];
const PROXY = ['test/cli/mcp.test.ts'];

/** Of the door. */
export const MCP_FAULTS: readonly Fault[] = [
  {
    name: 'anybody answers what a client was asked',
    file: `${MCP}/client-requests.ts`,
    find: 'if (asked?.caller !== caller) return false;',
    replace: 'if (!asked) return false;',
    tests: REQUESTS,
  },
  {
    name: 'a question to a client outlives its call',
    file: `${MCP}/client-requests.ts`,
    find: 'onClose(() => this.#close(asked, null));',
    replace: '',
    tests: REQUESTS,
  },
  {
    name: 'a caller may leave any number of questions open',
    file: `${MCP}/client-requests.ts`,
    find: ' || of_caller >= CALLER_MAX',
    replace: '',
    tests: REQUESTS,
  },
  {
    name: 'a state serves whoever brings it',
    file: `${MCP}/request-state.ts`,
    find: 'JSON.stringify([caller, method, about])',
    replace: 'JSON.stringify([method, about])',
    tests: STATE,
  },
  {
    name: 'a state is good for ever',
    file: `${MCP}/request-state.ts`,
    find: 'return until > now_ms ?',
    replace: 'return until > 0 ?',
    tests: STATE,
  },
  {
    name: 'a second try brings what it likes',
    file: `${MCP}/call-tool.ts`,
    find: 'if (problem) return problem;',
    replace: '',
    tests: WAITING,
  },
  {
    name: 'a person who declined is asked again',
    file: `${MCP}/open-url.ts`,
    find: "return action === 'decline' || action === 'cancel';",
    replace: 'return false;',
    tests: WAITING,
  },
  {
    name: 'a refusal that waits for a person is kept',
    file: 'src/pipeline/idempotency.ts',
    find: ' || data.open_url) return null',
    replace: ') return null',
    tests: WAITING,
  },
  {
    name: 'who did not ask is told of the inbox',
    file: `${MCP}/listening.ts`,
    find: 'write: () => !isWanted || channel.send(updated),',
    replace: 'write: () => channel.send(updated),',
    tests: LISTENING,
  },
  {
    name: 'a key that may not read an inbox hears of it',
    file: 'src/operations/inbox/watch.ts',
    find: 'if (!agent || unread) return () => {};',
    replace: 'if (!agent) return () => {};',
    tests: LISTENING,
  },
  {
    name: 'a listener makes its agent present',
    file: 'src/operations/inbox/watch.ts',
    find: '{ watch })',
    replace: '{ follow: watch })',
    tests: LISTENING,
  },
  {
    name: 'the standing stream tells who unsubscribed',
    file: `${MCP}/standing.ts`,
    find: 'write: () => !isTold(ports.side, told) || sink.write(update),',
    replace: 'write: () => sink.write(update),',
    tests: LISTENING,
  },
  {
    name: "a message goes to somebody else's stream",
    file: `${MCP}/sse-pair.ts`,
    find: 'return pair?.caller === caller ? pair : undefined;',
    replace: 'return pair;',
    tests: LISTENING,
  },
  {
    name: 'any number of older pairs',
    file: `${MCP}/standing.ts`,
    find: 'if (pairs.isFull(caller))',
    replace: 'if (caller === "")',
    tests: LISTENING,
  },
  {
    name: 'logs below the level that was asked for',
    file: `${MCP}/remembered.ts`,
    find: 'return least !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(least);',
    replace: 'return least !== null;',
    tests: ASKING,
  },
  {
    name: 'a flaw behind an answer that had begun ends the process',
    file: `${MCP}/exchange.ts`,
    find: 'report(error);\n    return rpcError(RPC_CODES.internal_error',
    replace: 'throw error;\n    return rpcError(RPC_CODES.internal_error',
    tests: ASKING,
  },
  {
    name: "a prompt brings others' words along as its own",
    file: `${MCP}/run-operation.ts`,
    find: 'if (!holdsWords(shape)) return',
    replace: 'if (shape) return',
    tests: ['test/transports/mcp/prompts.test.ts', 'test/transports/mcp/resources.test.ts'],
  },
  {
    name: 'meshwork mcp tells the key in an error',
    file: 'src/cli/mcp/proxy.ts',
    find: ".replaceAll(this.#key, '…')",
    replace: '',
    tests: PROXY,
  },
  {
    name: 'meshwork mcp leaves a cancelled subscription open',
    file: 'src/cli/mcp/proxy.ts',
    find: 'cancelled.cut.abort();',
    replace: '',
    tests: PROXY,
  },
  {
    name: 'meshwork mcp leaves before the last answer',
    file: 'src/cli/mcp/proxy.ts',
    find: 'await Promise.race([this.#quiet.promise, Bun.sleep(DRAIN_MS)]);',
    replace: '',
    tests: PROXY,
  },
  {
    name: 'tools that are listed to a key that does not reach them',
    file: `${MCP}/offer.ts`,
    find: "if (toolset === null) return reach === 'reached' && !tool.extension;",
    replace: 'if (toolset === null) return !tool.extension;',
    tests: ['test/transports/mcp/tools.test.ts'],
  },
  {
    name: 'null that is taken for a value where it is none',
    file: 'src/transports/tolerance.ts',
    find: "if (value === null) return kinds.has('null') ? value : undefined;",
    replace: '',
    tests: ['test/transports/tolerance.test.ts'],
  },
  {
    name: 'an answer told twice to who takes structured content',
    file: `${MCP}/results.ts`,
    find: 'structured && choice.schemas ? ELSEWHERE : content',
    replace: 'content',
    tests: ['test/transports/mcp/tools.test.ts'],
  },
];
