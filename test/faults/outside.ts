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
    name: 'a message that is sent on as the words of the service',
    file: 'src/delivery/forward.ts',
    find: 'author: sender,',
    replace: 'author: null,',
    tests: ['test/operations/forward.test.ts'],
  },
  {
    name: 'an instruction with private data that a model reads',
    file: 'src/operations/conversation/take-turn/advise.ts',
    find: "const words = [ours.text, instruction ?? ''].join('\\n');",
    replace: "const words = [ours.text].join('\\n');",
    tests: ['test/operations/model-turn.test.ts'],
  },
  {
    name: 'a fence whose word everybody knows',
    file: 'src/domain/text/fence.ts',
    find: "return btoa(binary).replaceAll('+', '-').replaceAll('/', '_');",
    replace: "return btoa('x'.repeat(binary.length)).replaceAll('+', '-').replaceAll('/', '_');",
    tests: ['test/operations/model-turn.test.ts'],
  },
];
