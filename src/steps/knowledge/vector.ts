// Asks for the vector of an entry: right after the commit that adds it, and again some minutes later as long as it is not there,
// since the embedder may not answer and a process may die.
import { Type } from 'typebox';
import type { Effect, RemindEffect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, remindNow, unremind } from '../reminder.ts';

/** How long a failing endpoint is left alone. */
const AFTER_MS = 300_000;

/** The call that makes it. */
export const EMBED_KNOWLEDGE = { name: 'knowledge.embed', input: Type.Object({ id: Id }) } as const;

/** What of an entry its vector is made of. */
export function knowledgeText({ title, text }: { readonly title: string; readonly text: string }): string {
  return title === '' ? text : `${title}\n${text}`;
}

/** Sends out for it before the reply, which does not wait for it. */
export function embedKnowledgeNow(id: string, now_ms: number): Effect<never> {
  return remindNow(EMBED_KNOWLEDGE, { id }, { key: id, now_ms });
}

/** Asks for another attempt. */
export function embedKnowledgeLater(id: string, now_ms: number): RemindEffect {
  return remind(EMBED_KNOWLEDGE, { id }, { at: now_ms + AFTER_MS, key: id, now_ms });
}

/** It is there, or its entry is gone. */
export function unremindKnowledge(id: string): Effect<never> {
  return unremind(EMBED_KNOWLEDGE, id);
}
