// Asks for the vector of an entry: right after the commit that adds it, and again some minutes later as long as it is not there,
// since the embedder may not answer and a process may die; or of all entries that another model made, once the embedder was changed.
import { Type } from 'typebox';
import type { Effect, RemindEffect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, remindNow, unremind } from '../reminder.ts';

/** How long a failing endpoint is left alone. */
const AFTER_MS = 300_000;

/** The call that makes it; without an id it looks through all. */
export const EMBED_KNOWLEDGE = { name: 'knowledge.embed', input: Type.Object({ id: Type.Optional(Id) }) } as const;

type Of = string | undefined;

const inputOf = (id: Of): { id?: string } => (id === undefined ? {} : { id });

/** What of an entry its vector is made of. */
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
