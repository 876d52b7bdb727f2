// Faults in what is sent on to others' A2A endpoints, and in what parties of a task are told.
import type { Fault } from './fault.ts';

const FORWARD = ['test/operations/forward.test.ts'];
const HOSTILE = ['test/operations/forward-hostile.test.ts'];
const PUSH = ['test/operations/push-config.test.ts'];
const CARD = ['test/domain/agent/foreign-card.test.ts', 'test/operations/endpoint-card.test.ts'];

export const FORWARDS: readonly Fault[] = [
  {
    name: 'a card that sends us to another party',
    file: 'src/domain/agent/foreign-card.ts',
    find: 'return all.filter(({ url }) => areKin(url, registered));',
    replace: 'return all;',
    tests: CARD,
  },
  {
    name: "a host's card that speaks for any address beneath it",
    file: 'src/domain/agent/foreign-card.ts',
    find: 'if (is_hosts) return all',
    replace: 'if (is_hosts && all.length === 0) return all',
    tests: CARD,
  },
  {
    name: "a signature by somebody else's key",
    file: 'src/outbound/agent-card.ts',
    find: "typeof jku !== 'string' || !isAtHostOf(jku, card_url)",
    replace: "typeof jku !== 'string'",
    tests: CARD,
  },
  {
    name: 'an answer to an answer is posted',
    file: 'src/delivery/forward.ts',
    find: 'ends: answers !== null });',
    replace: 'ends: false });',
    tests: FORWARD,
  },
  {
    name: 'a message that is sent on as the words of the service',
    file: 'src/delivery/forward.ts',
    find: 'author: sender,',
    replace: 'author: null,',
    tests: FORWARD,
  },
  {
    name: 'a task that is looked after for ever',
    file: 'src/domain/task/remote.ts',
    find: 'if (looks >= LOOKS_MAX) return null;',
    replace: 'if (looks < 0) return null;',
    tests: FORWARD,
  },
  {
    name: 'an answer of one task that ends another',
    file: 'src/steps/task/answer.ts',
    find: '{ ...thread, answers: [] }',
    replace: 'thread',
    tests: FORWARD,
  },
  {
    name: 'an endpoint whose task went on that is asked as if it had not',
    file: 'src/delivery/forward.ts',
    find: 'remote_task_id: same ? before.remote_task_id : null',
    replace: 'remote_task_id: null',
    tests: FORWARD,
  },
  {
    name: 'an answer that nests as deep as it likes',
    file: 'src/transports/a2a/outgoing.ts',
    find: 'if (nestsTooDeep(body)) return null;',
    replace: '',
    tests: HOSTILE,
  },
  {
    name: 'an update that is told though the one before it was not taken',
    file: 'src/operations/push-config/deliver.ts',
    find: 'if (!made.accepted) return { reply: false, effects: failed(config, made) };',
    replace: 'if (!made.accepted) return { reply: true, effects: failed(config, made) };',
    tests: PUSH,
  },
  {
    name: "another party's push configs are listed",
    file: 'src/operations/push-config/list.ts',
    find: '.filter(({ agent_id }) => agent_id === actor(ctx).id)',
    replace: '',
    tests: PUSH,
  },
  {
    name: 'a task that takes one push config too many',
    file: 'src/steps/push-config.ts',
    find: 'push_configs >= PUSH_CONFIGS_MAX',
    replace: 'push_configs > PUSH_CONFIGS_MAX',
    tests: PUSH,
  },
];
