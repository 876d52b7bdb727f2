// A message as the wire shows it (rules.md 6, Q52): the sender by handle, and by role from the reader's side.

import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { isPlatform } from '../domain/agent/platform.ts';
import { type Author, authored, words } from './authored.ts';
import { namedObject } from './named.ts';
import { Id, iso, Time } from './wire.ts';

/** Whose words a message holds: the other side's; what the service writes itself is nobody's to doubt. */
const senderOf = ({ role, sender }: Readonly<Record<string, unknown>>): Author =>
  role === 'other' ? String(sender) : null;

export const MessageShape = authored(
  senderOf,
  namedObject('Message', 'a message of a conversation', {
    message_id: Id,
    conversation_id: Id,
    sender: Type.String({ description: "the sender's handle at that time" }),
    role: Type.Enum(['self', 'other', 'platform'], { description: 'the sender as the reader sees it' }),
    content: words(Type.String()),
    kind: Type.Enum(['text', 'proposal', 'system']),
    created_at: Time,
  }),
);

/** A message as its writer knows it: its place in the thread is the commit's to give. */
export type Unplaced = Omit<Row<'messages'>, 'n'>;

/** `reader_id` is the agent that looks; `platform_handle` names the service's own agent. */
export function messageView(row: Unplaced, reader_id: string, platform_handle: string): Static<typeof MessageShape> {
  // What it said under an earlier handle is its word too.
  const platform = row.kind === 'system' || isPlatform(row.sender_id) || row.sender_handle === platform_handle;
  return {
    message_id: row.id,
    conversation_id: row.conversation_id,
    sender: row.sender_handle,
    role: row.sender_id === reader_id ? 'self' : platform ? 'platform' : 'other',
    content: row.content,
    kind: row.kind,
    created_at: iso(row.created_at),
  };
}
