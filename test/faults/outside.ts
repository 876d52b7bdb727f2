// Faults at the border to the outside: addresses inside the network, other hosts’ words, and what a model reads.
import type { Fault } from './fault.ts';

export const OUTSIDE: readonly Fault[] = [
  {
    name: 'pushes to addresses inside the house',
    file: 'src/operations/browser/subscribe.ts',
    find: 'if (problem !== null)',
    replace: "if (problem === '')",
    tests: ['test/operations/browser.test.ts'],
  },
  {
    name: 'an address inside the house that may serve',
    file: 'src/operations/provider/register.ts',
    find: 'if (unusable) return unusable;',
    replace: '',
    tests: ['test/operations/hostile-providers.test.ts'],
  },
  {
    name: 'a delivery at an address inside the network',
    file: 'src/operations/escrow/deliver.ts',
    find: ", urlFault(ports, page_url, 'page_url'), ...named]",
    replace: ', ...named]',
    tests: ['test/operations/deliverable.test.ts'],
  },
  {
    name: 'a program that has the service post to one host without end',
    file: 'src/operations/push-config/deliver.ts',
    find: 'if (!(await mayDeliver(ctx, ports, config, host))) return;',
    replace: '',
    tests: ['test/operations/push-config.test.ts'],
  },
  {
    name: "a host's card that speaks for any address beneath it",
    file: 'src/domain/agent/foreign-card.ts',
    find: 'if (is_hosts) return all',
    replace: 'if (is_hosts && all.length === 0) return all',
    tests: ['test/domain/agent/foreign-card.test.ts', 'test/operations/endpoint-card.test.ts'],
  },
  {
    name: 'a message that is sent on as the words of the service',
    file: 'src/delivery/forward.ts',
    find: 'author: sender,',
    replace: 'author: null,',
    tests: ['test/operations/forward.test.ts'],
  },
  {
    name: 'an author of A2A parts taken for the other side',
    file: 'src/transports/a2a/dialect.ts',
    find: "return role === 'user' ? sender_handle : target_handle;",
    replace: "return role === 'user' ? target_handle : sender_handle;",
    tests: ['test/transports/a2a/translations.test.ts'],
  },
  {
    name: "a prompt brings others' words along as its own",
    file: 'src/transports/mcp/run-operation.ts',
    find: 'if (!holdsWords(shape)) return',
    replace: 'if (shape) return',
    tests: ['test/transports/mcp/prompts.test.ts', 'test/transports/mcp/resources.test.ts'],
  },
  {
    name: 'an instruction with private data that a model reads',
    file: 'src/operations/conversation/take-turn/advise.ts',
    find: "const words = [ours.text, instruction ?? ''].join('\\n');",
    replace: "const words = [ours.text].join('\\n');",
    tests: ['test/operations/model-turn.test.ts'],
  },
  {
    name: 'an instruction with a limit that a model reads',
    file: 'src/operations/conversation/take-turn/advise.ts',
    find: " || tellsBound(instruction ?? '', facts.bounds)",
    replace: '',
    tests: ['test/operations/model-turn.test.ts'],
  },
  {
    name: 'a fence whose word everybody knows',
    file: 'src/domain/text/fence.ts',
    find: "return btoa(binary).replaceAll('+', '-').replaceAll('/', '_');",
    replace: "return btoa('x'.repeat(binary.length)).replaceAll('+', '-').replaceAll('/', '_');",
    tests: ['test/operations/model-turn.test.ts'],
  },
  {
    name: 'a model that may use its caps on each node',
    file: 'src/operations/conversation/take-turn/model.ts',
    find: 'effects: [...counted, taken]',
    replace: 'effects: [taken]',
    tests: ['test/operations/agreement-nodes.test.ts'],
  },
];
