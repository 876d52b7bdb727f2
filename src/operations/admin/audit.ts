// The audit log of administrators: a page of it, or CSV.
import { Type } from 'typebox';
import { actsBefore } from '../../../db/queries/admin.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { Noted } from '../../contract/reply.ts';
import { csvText } from '../../domain/text/csv.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, iso, NullableText, nullable, PAGE, PAGE_DEFAULT, Time } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

const HEADS = ['at', 'by', 'by_id', 'operation', 'subject_id', 'reason', 'id'] as const;
/** Acts a page of CSV. */
const CSV_ACTS = 1_000;

const Act = namedObject('AdminAct', 'what an administrator did', {
  id: Id,
  at: Time,
  by: nullable(Type.String(), 'their current address; null once their account is deleted'),
  by_id: Type.String({ description: 'their account; `platform` is the operator of the server' }),
  operation: Type.String(),
  subject_id: NullableText,
  reason: NullableText,
});

export const adminAudit = query({
  name: 'admin.audit',
  needed_by: 'an administrator who reviews the acts of administrators',
  noun: 'Administration of people and agents, and the audit log of administrators.',
  summary: 'Read the audit log of administrators',
  description: `Newest first. \`format=csv\` answers a table of ${HEADS.join(', ')}, up to ${CSV_ACTS} acts a page.`,
  input: Type.Object({ format: Type.Optional(Type.Enum(['json', 'csv'])), ...PAGE }),
  output: Type.Array(Act),
  access: 'admin',
  paged: true,
  csv: true,
  rest: [{ method: 'GET', path: '/api/admin/audit' }],
  run: async (read, { format, limit: wanted, cursor = HIGHEST_ID }) => {
    const limit = wanted ?? (format === 'csv' ? CSV_ACTS : PAGE_DEFAULT);
    const rows = await read(actsBefore, { before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ act }) => act.id);
    const items = shown.map(({ act: { created_at, ...act }, email }) => ({
      ...act,
      at: iso(created_at),
      by: act.by_id === 'platform' ? 'platform' : email,
    }));
    if (format !== 'csv') return { items, next_cursor };
    const text = csvText(
      HEADS,
      items.map((item) => HEADS.map((head) => item[head])),
    );
    // The value is CSV text (`media`), which no JSON schema describes.
    return new Noted(text as unknown as typeof items, {
      media: 'text/csv; charset=utf-8',
      ...(next_cursor && { next_cursor }),
    });
  },
});
