// Puts entries into what an agent knows and takes them out, each counted in the same commit, so that two at once do not pass a limit.
import { type CountEffect, count, type Effect, remove } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import {
  KNOWLEDGE_CHARACTERS_MAX,
  KNOWLEDGE_ENTRIES_MAX,
  knowledgeCharacters,
  knowledgeFull,
} from '../../domain/negotiation/knowledge.ts';
import { unremindKnowledge } from './vector.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;

type Counted = Pick<Row<'knowledge'>, 'agent_id' | 'title' | 'text'>;

const entriesKey = (agent_id: string): string => `knowledge:${agent_id}`;
const charactersKey = (agent_id: string): string => `knowledge_characters:${agent_id}`;

/** Counts an entry more; refuses with `knowledge_full`, which names the limit. */
export function countKnowledge(entry: Counted): CountEffect<'knowledge_full'>[] {
  const { agent_id } = entry;
  const characters = knowledgeCharacters(entry);
  return [
    count(entriesKey(agent_id), KNOWLEDGE_ENTRIES_MAX, knowledgeFull('entries')),
    count(charactersKey(agent_id), KNOWLEDGE_CHARACTERS_MAX, knowledgeFull('characters'), null, characters),
  ];
}

/** Takes an entry out, as it was read, with its place among those that are counted. */
export function removeKnowledge(entry: Row<'knowledge'>): Effect<never>[] {
  const { agent_id } = entry;
  const less = (key: string, by: number): Effect<never> => count(key, UNLIMITED, 'again', null, -by);
  return [
    remove('knowledge', entry),
    less(entriesKey(agent_id), 1),
    less(charactersKey(agent_id), knowledgeCharacters(entry)),
    unremindKnowledge(entry.id),
  ];
}
