// Faults in what programs discover: the platform's agent, cards for A2A clients and their signatures, who is found.
import type { Fault } from './fault.ts';

const PAYLOAD = 'src/domain/agent/card-payload.ts';
const PROTOCOL_CARD = 'src/domain/agent/protocol-card.ts';
const PLATFORM = 'src/steps/agent/platform.ts';
const CARD = 'src/steps/agent/card.ts';

export const CARDS: readonly Fault[] = [
  {
    name: 'a signature that leaves out the required members that are empty',
    file: PAYLOAD,
    find: 'if (always || !isDefault(held))',
    replace: 'if (!isDefault(held))',
    tests: ['test/outbound/card-signature.test.ts'],
  },
  {
    name: 'a signature over members of another protocol, inside those of 1.0',
    file: PAYLOAD,
    find: 'kept.push([name, normalized(held, member)])',
    replace: 'kept.push([name, held])',
    tests: ['test/outbound/card-signature.test.ts'],
  },
  {
    name: 'canonical members in the order in which they came',
    file: 'src/domain/agent/canonical-json.ts',
    find: '(a < b ? -1 : 1)',
    replace: '(a === b ? -1 : 0)',
    tests: ['test/domain/agent/canonical-json.test.ts'],
  },
  {
    name: 'a card with empty members among those that are signed',
    file: PROTOCOL_CARD,
    find: 'params: withoutEmpty(mesh) as Record<string, unknown>',
    replace: 'params: mesh',
    tests: ['test/outbound/card-signature.test.ts'],
  },
  {
    name: 'a card without a skill',
    file: PROTOCOL_CARD,
    find: 'facts.skills.length > 0 ? facts.skills : [talkSkill(facts)]',
    replace: 'facts.skills',
    tests: ['test/operations/protocol-card.test.ts'],
  },
  {
    name: 'a card of an agent that hides',
    file: CARD,
    find: "agent && isSeen(agent, 'profile') ? agent : null",
    replace: 'agent?.deactivated_at === null ? agent : null',
    tests: ['test/operations/protocol-card.test.ts', 'test/operations/agent-discover.test.ts'],
  },
  {
    name: 'an extended card of whoever hides, for anybody with a key',
    file: 'src/operations/agent/extended-card.ts',
    find: 'named && isOwner(ctx, named) ? named',
    replace: 'named ? named',
    tests: ['test/operations/protocol-card.test.ts'],
  },
  {
    name: "the platform's agent in the lists",
    file: PLATFORM,
    find: "visibility: 'hidden' as const",
    replace: "visibility: 'listed' as const",
    tests: ['test/operations/platform-agent.test.ts'],
  },
  {
    name: 'a handle that the setting takes from an agent',
    file: PLATFORM,
    find: 'taken.agent_id !== PLATFORM_AGENT_ID && isHeld(taken, now_ms)',
    replace: 'taken.agent_id === PLATFORM_AGENT_ID && isHeld(taken, now_ms)',
    tests: ['test/operations/platform-agent.test.ts'],
  },
  {
    name: "the platform's agent as nobody whom one may write to",
    file: 'src/domain/agent/visibility.ts',
    find: "if (agent.platform) return surface === 'contact' || surface === 'profile';",
    replace: 'if (agent.platform) return false;',
    tests: ['test/operations/platform-agent.test.ts'],
  },
  {
    name: 'agents found by words that one of them alone has',
    file: 'src/steps/agent/listed.ts',
    find: 'words.every((word) => textOf',
    replace: 'words.some((word) => textOf',
    tests: ['test/operations/agent-discover.test.ts'],
  },
];
