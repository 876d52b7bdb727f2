// Faults in the door of A2A: calls that reach another agent than the address says, words that pass for the reader's own, callers
// who are let in, waits and streams that stay.
import type { Fault } from './fault.ts';

const A2A = 'src/transports/a2a';
const DIALECTS = ['test/transports/a2a/translations.test.ts'];
const BAD_INPUT = ['test/transports/a2a/bad-input.test.ts'];
const ENTRY = ['test/transports/a2a/entry.test.ts'];
const STREAMS = ['test/transports/a2a/streams.test.ts'];
const SEED = ['test/transports/a2a/seed.test.ts'];

/** Of the door. */
export const A2A_FAULTS: readonly Fault[] = [
  {
    name: 'a call at an agent’s A2A address that goes to the agent which it names',
    file: `${A2A}/dialect.ts`,
    find: 'return target ?? given(tenant) ?? named;',
    replace: 'return given(tenant) ?? named ?? target ?? undefined;',
    tests: DIALECTS,
  },
  {
    name: 'A2A parts of another party without their origin',
    file: `${A2A}/dialect.ts`,
    find: 'spelling.part(part, mark)),\n    contextId',
    replace: 'spelling.part(part, null)),\n    contextId',
    tests: DIALECTS,
  },
  {
    name: 'an author of A2A parts taken for the other side',
    file: `${A2A}/dialect.ts`,
    find: "return role === 'user' ? sender_handle : target_handle;",
    replace: "return role === 'user' ? target_handle : sender_handle;",
    tests: DIALECTS,
  },
  {
    name: 'an A2A message that has its own writer marked as a stranger',
    file: `${A2A}/parts.ts`,
    find: 'if (author === handle || author === platform_handle) return null;',
    replace: 'if (author === platform_handle) return null;',
    tests: DIALECTS,
  },
  {
    name: 'a method of A2A that every object has',
    file: `${A2A}/methods.ts`,
    find: 'Object.hasOwn(METHODS, name) ? METHODS[name] : undefined',
    replace: 'METHODS[name]',
    tests: BAD_INPUT,
  },
  {
    name: 'an A2A version that is not spoken taken for the one of the call',
    file: `${A2A}/door.ts`,
    find: 'if (version) return version;',
    replace: 'if (version) return version;\n  if (numbers) return null;',
    tests: BAD_INPUT,
  },
  {
    name: 'a handle of an A2A address that writes into a header',
    file: `${A2A}/door.ts`,
    find: 'HANDLE.test(target) ? agentResource(target) : RESOURCES.service',
    replace: 'agentResource(target)',
    tests: ENTRY,
  },
  {
    name: 'an A2A call that tells strangers what is wrong with it',
    file: `${A2A}/door.ts`,
    find: "await enter(visitor, 'none', !OPEN.has(does))",
    replace: "await enter(visitor, 'none', false)",
    tests: ENTRY,
  },
  {
    name: 'an A2A refusal at an agent’s address that HTTP is not told of',
    file: `${A2A}/rpc.ts`,
    find: "if (!barred || (version !== '1.0' && target === null))",
    replace: "if (!barred || version !== '1.0')",
    tests: ENTRY,
  },
  {
    name: 'an A2A request over HTTP whose fields pass for a refusal',
    file: `${A2A}/http.ts`,
    find: "if ('unread' in read) {",
    replace: "if ('unread' in read || 'refusal' in read.params) {\n    if (!('unread' in read)) throw new Error();",
    tests: BAD_INPUT,
  },
  {
    name: 'an A2A message that is sent again with each try',
    file: `${A2A}/sends.ts`,
    find: 'idempotency_key: keyOf(asking, message_id)',
    replace: 'idempotency_key: null',
    tests: SEED,
  },
  {
    name: 'an A2A send whose caller has gone and which waits on',
    file: `${A2A}/updates.ts`,
    find: "signal.addEventListener('abort', close, { once: true });",
    replace: '',
    tests: STREAMS,
  },
  {
    name: 'an A2A send that waits and keeps its reminder',
    file: `${A2A}/updates.ts`,
    find: 'waits.delete(close);',
    replace: '',
    tests: STREAMS,
  },
  {
    name: 'an A2A stream that begins anew where its reader was cut',
    file: `${A2A}/sends.ts`,
    find: 'const after = lastEventOf(asking.request) ?? task.last_n;',
    replace: 'const after = task.last_n;',
    tests: STREAMS,
  },
  {
    name: 'an A2A task of somebody else that is told apart from none',
    file: `${A2A}/errors.ts`,
    find: "if (refusal.fault === 'not_found' && OF_A_TASK.has(does)) {",
    replace: "if (refusal.fault === 'not_found' && does === 'get') {",
    tests: STREAMS,
  },
];
