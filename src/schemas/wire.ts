// Shapes that many operations share on the wire.

import { type TNull, type TSchema, type TString, type TUnion, Type } from 'typebox';
import { PAGE_BEFORE } from '../domain/next-step.ts';
import { VISIBLE, VISIBLE_OR_BLANK } from '../domain/text/visible.ts';
import { toolsRead } from './next-step.ts';

/** A schema, or null. */
export function nullable<T extends TSchema>(schema: T, description?: string): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
export const NullableText = nullable(Type.String());
/** UUID version 7 as a string. */
export const Id = Type.String({ format: 'uuid', description: 'UUID version 7' });
export const NullableId = nullable(Id);
/** An id in a path: any text, because an unknown id is 404 whatever its form. */
export const PathId = Type.String({ minLength: 1, maxLength: 64, description: 'UUID version 7' });
/** Whether a read leaves what it shows unread. */
export const PeekInput = Type.Optional(Type.Boolean({ description: 'read without marking as read' }));
/** ISO 8601 UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds' });
export const NullableTime = nullable(Time);
/** Integer cents; below 2^53 with room for sums. */
export const Cents = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description: 'integer cents' });
export const NullableCents = nullable(Cents);
/** A handle as input: a leading `@` is dropped and case is folded. */
export const HandleInput = Type.String({ minLength: 1, maxLength: 64 });
export const Email = Type.String({ minLength: 3, maxLength: 320 });
/** A phone number as people write it, in international form. */
export const Phone = Type.String({ minLength: 4, maxLength: 40, description: 'international, such as +14155550123' });
export const Code6 = Type.String({ pattern: '^[0-9]{6}$', description: 'the mailed six digits' });
/** A name or line that people read: it needs a visible character. */
export function visibleText(maxLength: number, description?: string): TString {
  return Type.String({ minLength: 1, maxLength, pattern: VISIBLE, ...(description && { description }) });
}
/** The same, or empty. */
export function visibleOrBlankText(maxLength: number, description?: string): TString {
  return Type.String({ maxLength, pattern: VISIBLE_OR_BLANK, ...(description && { description }) });
}
/** The name that a program gives itself; its key is listed under it. */
export const ClientName = visibleOrBlankText(200);
/** Pages of lists: `limit` 1 to 100 (default 50), `cursor` from X-Next-Cursor, the id of a page's last row. It leads to
 * older rows only: ids are made before their commits, so lists that clients follow (threads, inboxes, notifications) have
 * positions that the commit assigns. A malformed cursor is refused: read as the first page, it would send a client round in circles. */
export const PAGE = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(
    Type.String({ format: 'uuid', description: PAGE_BEFORE.http, ...toolsRead(PAGE_BEFORE.tools) }),
  ),
};
export const PAGE_DEFAULT = 50;

export function iso(at_ms: number): string {
  return new Date(at_ms).toISOString();
}

/** The same for instants that may be absent. */
export function isoOrNull(at_ms: number | null): string | null {
  return at_ms === null ? null : iso(at_ms);
}
