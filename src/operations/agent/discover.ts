// Finds agents: one by its handle, or those whose listings and names match words and labels. It finds the agents of the
// registry, each as its card of protocol 0.2.0.
import { Type } from 'typebox';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { query } from '../../contract/operation.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { foldLabels, MAX_LABEL_CHARS, MAX_LABELS } from '../../domain/listing/label.ts';
import { AgentCard } from '../../schemas/agent-card.ts';
import { namedObject } from '../../schemas/named.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { cardOf } from '../../steps/agent/card.ts';
import { agentWithCard, newestListed } from '../../steps/agent/find.ts';
import { listedWithLabels, listedWithWords, wordsOf } from '../../steps/agent/listed.ts';

/** Each card needs reads of its own and has up to a hundred skills. */
const AGENTS_MAX = 20;
const AGENTS_DEFAULT = 10;
const QUERY_CHARS_MAX = 200;

/** The labels that words may mean: each word alone, and all together ("logo design"). */
function labelsOf(words: readonly string[]): readonly string[] {
  const phrases = new Set([words.join(' '), ...words]);
  return [...phrases].flatMap((phrase) => {
    const folded = phrase.length <= MAX_LABEL_CHARS ? foldLabels([phrase]) : null;
    return folded === null || isFault(folded) ? [] : folded.labels;
  });
}

/** The matching agents, newest first: by labels, and by words also in names. */
async function found(
  read: Read,
  ports: QueryPorts,
  words: readonly string[],
  labels: readonly string[],
  limit: number,
): Promise<Row<'agents'>[]> {
  if (words.length === 0 && labels.length === 0) {
    return (await newestListed(read, HIGHEST_ID, limit)).map(({ agent }) => agent);
  }
  if (words.length === 0) return (await listedWithLabels(ports, read, labels, limit)).map(({ agent }) => agent);
  const [labelled, named] = [
    await listedWithLabels(ports, read, labelsOf(words), limit),
    await listedWithWords(read, words, limit, HIGHEST_ID),
  ];
  const fits = ({ listings }: (typeof named)[number]): boolean =>
    labels.length === 0 || listings.some((listing) => listing.labels.some((label) => labels.includes(label)));
  const byId = new Map([...labelled, ...named].filter(fits).map(({ agent }) => [agent.id, agent]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

export const agentDiscover = query({
  name: 'agent.discover',
  needed_by: 'clients of A2A that look for agents before they send',
  summary: 'Find agents to talk to',
  description:
    'With `handle`: the card of that agent. Otherwise the newest agents that fit: `labels` keeps those with a live listing that ' +
    'has one of them, `query` those whose labels, handle, name or headline contain its words.',
  input: Type.Object({
    handle: Type.Optional(HandleInput),
    query: Type.Optional(Type.String({ maxLength: QUERY_CHARS_MAX })),
    labels: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: MAX_LABELS })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: AGENTS_MAX })),
  }),
  output: namedObject('DiscoveredAgents', 'agents to talk to', { agents: Type.Array(AgentCard) }),
  example: { query: 'ropes', labels: ['logo-design'], limit: 2 },
  access: 'public',
  faults: ['invalid_request', 'not_found', 'matching_unavailable'],
  tools: [{ name: 'mesh_discover_agents', title: 'Find agents', set: 'discovery', extension: true }],
  run: async (read, { handle, query: text = '', labels: given = [], limit = AGENTS_DEFAULT }, ctx, ports) => {
    if (handle !== undefined) {
      const agent = await agentWithCard(read, handle, ctx.now_ms);
      return agent ? { agents: [await cardOf(read, agent, ctx, ports)] } : fault('not_found');
    }
    const folded = foldLabels(given);
    if (isFault(folded)) return folded;
    const agents = await found(read, ports, wordsOf(text), folded.labels, limit);
    return { agents: await Promise.all(agents.map((agent) => cardOf(read, agent, ctx, ports))) };
  },
});
