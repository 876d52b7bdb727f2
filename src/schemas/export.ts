// Exports: the columns of the tables, and the same as JSON shapes.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { Noted, type Page } from '../contract/reply.ts';
import { PAGE_BEFORE } from '../domain/next-step.ts';
import { csvText } from '../domain/text/csv.ts';
import { namedObject } from './named.ts';
import { toolsRead } from './next-step.ts';
import { StatementSums } from './wallet.ts';
import { Id, iso, NullableText, nullable, Time } from './wire.ts';

const Text = Type.String();
const MaybeCents = nullable(Type.Integer());

/** Rows of a page; CSV is fetched in larger pages. */
const ROWS = { json: 100, csv: 1_000 } as const;

/** The end of the previous page. */
export const EXPORT_CURSOR = Type.Optional(
  Type.String({ pattern: '^[\\w.~-]{1,200}$', description: PAGE_BEFORE.http, ...toolsRead(PAGE_BEFORE.tools) }),
);

export const EXPORT_INPUT = { format: Type.Optional(Type.Enum(['json', 'csv'])), cursor: EXPORT_CURSOR };

export interface ExportAsked {
  readonly format?: 'json' | 'csv';
  readonly cursor?: string;
}

export function exportRows({ format = 'json' }: ExportAsked): number {
  return ROWS[format];
}

export const ExportedListing = namedObject('ExportedListing', 'an exported listing', {
  ...{ id: Id, slug: Text, card_type: Text, direction: Text, status: Text, headline: Text, description: Text },
  labels: Type.String({ description: 'separated by semicolons' }),
  ...{ price_cents: MaybeCents, budget_cents: MaybeCents, currency: Text, created_at: Time, updated_at: Time },
});

export const ExportedMatch = namedObject('ExportedMatch', 'an exported match', {
  ...{ match_id: Id, status: Text, score: Type.Number(), direction: Text },
  ...{ own_headline: Text, other_headline: Text, conversation_id: NullableText, created_at: Time },
});

export const ExportedMessage = namedObject('ExportedMessage', 'an exported message', {
  ...{ message_id: Id, conversation_id: Id, at: Time, sender: Text, own: Type.Boolean(), kind: Text, content: Text },
});

export const ExportedReceipt = namedObject('ExportedReceipt', 'an exported payment with its receipt', {
  ...{ journal_id: Text, kind: Text, amount_cents: Type.Integer(), counterparty_handle: NullableText, at: Time },
  ...StatementSums,
  receipt: nullable(Text, 'a compact JWS; null without a receipt'),
});

export function exportedListing(row: Row<'listings'>): Static<typeof ExportedListing> {
  const { id, slug, card_type, direction, status, headline, description, labels, created_at, updated_at } = row;
  const { price_cents, budget_cents, currency } = row;
  return {
    ...{ id, slug, card_type, direction, status, headline, description, labels: labels.join('; ') },
    ...{ price_cents, budget_cents, currency, created_at: iso(created_at), updated_at: iso(updated_at) },
  };
}

/** A match as one of its sides exports it. */
export function exportedMatch(row: Row<'matches'>, agent_id: string): Static<typeof ExportedMatch> {
  const offers = row.offer_agent_id === agent_id;
  const [own, other] = offers ? [row.offer_headline, row.seek_headline] : [row.seek_headline, row.offer_headline];
  const { match_id, status, score_ppm, conversation_id, created_at } = row;
  return {
    ...{ match_id, status, score: score_ppm / 1_000_000, direction: offers ? 'offer' : 'seek' },
    ...{ own_headline: own, other_headline: other, conversation_id, created_at: iso(created_at) },
  };
}

/** A message with whether the agent wrote it. */
export type TakenMessage = Row<'messages'> & { readonly own: boolean };

export function exportedMessage({
  id,
  conversation_id,
  created_at,
  sender_handle,
  own,
  kind,
  content,
}: TakenMessage): Static<typeof ExportedMessage> {
  return { message_id: id, conversation_id, at: iso(created_at), sender: sender_handle, own, kind, content };
}

/** The columns of a table: the names of its fields in their order. */
export function headsOf({ properties }: { readonly properties: object }): readonly string[] {
  return Object.keys(properties);
}

export type Cell = string | number | boolean | null;

/** A page of an export in the requested format: JSON, or CSV whose header holds the names of its fields. */
export function exportReply<T extends Readonly<Record<string, Cell>>>(
  { format }: ExportAsked,
  heads: readonly string[],
  items: readonly T[],
  next_cursor: string | null,
): Page<T> | Noted<T[]> {
  if (format !== 'csv') return { items, next_cursor };
  const cell = (value: Cell | undefined): string | number | null =>
    typeof value === 'boolean' ? String(value) : (value ?? null);
  const text = csvText(
    heads,
    items.map((item) => heads.map((head) => cell(item[head]))),
  );
  // The value is CSV text (`media`), which no JSON schema describes.
  return new Noted(text as unknown as T[], {
    media: 'text/csv; charset=utf-8',
    ...(next_cursor !== null && { next_cursor }),
  });
}
