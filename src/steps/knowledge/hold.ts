// Puts entries into what an agent knows and takes them out, each counted in the same commit, so that two at once do not pass a limit; and
// asks for the vectors of entries.

import { Type } from 'typebox';
import { type CountEffect, count, type Effect, type RemindEffect, remove } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import {
  KNOWLEDGE_CHARACTERS_MAX,
  KNOWLEDGE_ENTRIES_MAX,
  knowledgeCharacters,
  knowledgeFull,
} from '../../domain/negotiation/knowledge.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, remindNow, unremind } from '../reminder.ts';

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

/** How long a failing endpoint is left alone. */
const AFTER_MS = 300_000;

/** The call that makes it; without an id it looks through all. */
export const EMBED_KNOWLEDGE = { name: 'knowledge.embed', input: Type.Object({ id: Type.Optional(Id) }) } as const;

type Of = string | undefined;

const inputOf = (id: Of): { id?: string } => (id === undefined ? {} : { id });

/** The text of an entry's vector. */
export function knowledgeText({ title, text }: { readonly title: string; readonly text: string }): string {
  return title === '' ? text : `${title}\n${text}`;
}

/** Sends out for it before the reply, which does not wait for it. */
export function embedKnowledgeNow(id: Of, now_ms: number): Effect<never> {
  return remindNow(EMBED_KNOWLEDGE, inputOf(id), { key: id ?? '', now_ms });
}

export function embedKnowledgeLater(id: Of, now_ms: number): RemindEffect {
  return remind(EMBED_KNOWLEDGE, inputOf(id), { at: now_ms + AFTER_MS, key: id ?? '', now_ms });
}

/** When its vector is stored, or its entry was deleted. */
export function unremindKnowledge(id: Of): Effect<never> {
  return unremind(EMBED_KNOWLEDGE, id ?? '');
}
