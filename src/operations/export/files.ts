// Exports of an agent's data as JSON or CSV, each an operation of its own, made from one table. They differ only in their rows and
// the read of a page.
import { type Static, type TObject, Type } from 'typebox';
import { listingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import {
  type Cell,
  EXPORT_INPUT,
  type ExportAsked,
  ExportedListing,
  ExportedMatch,
  ExportedMessage,
  ExportedReceipt,
  exportedListing,
  exportedMatch,
  exportedMessage,
  exportReply,
  exportRows,
  headsOf,
} from '../../schemas/export.ts';
import { takeMessages, takeReceipts } from '../../steps/export.ts';
import { newestMatches } from '../../steps/match/find.ts';
import { cutPage } from '../../steps/page.ts';

interface File<R extends TObject> {
  readonly what: 'listings' | 'matches' | 'messages' | 'receipts';
  readonly noun?: string;
  readonly description: string;
  readonly row: R;
  readonly no_tool: string;
  page(
    read: Read,
    asked: ExportAsked & { readonly agent_id: string; readonly limit: number },
    ctx: Ctx,
    ports: QueryPorts,
  ): Promise<{
    readonly items: readonly (Static<R> & Readonly<Record<string, Cell>>)[];
    readonly next_cursor: string | null;
  }>;
}

function exported<R extends TObject>({ what, description, noun, row, no_tool, page }: File<R>) {
  return query({
    name: `export.${what}`,
    ...(noun !== undefined && { noun }),
    summary: `Export the ${what}`,
    description: `${description} \`format=csv\` returns a table.`,
    input: Type.Object({ ...EXPORT_INPUT }),
    output: Type.Array(row),
    access: 'key',
    scope: 'export:read',
    agent: 'required',
    paged: true,
    csv: true,
    rest: [{ method: 'GET', path: `/api/v1/export/${what}` }],
    no_tool: `A file is for people and their programs; ${no_tool}.`,
    run: async (read, input: ExportAsked, ctx, ports) => {
      const asked = { ...input, agent_id: actor(ctx).id, limit: exportRows(input) };
      const { items, next_cursor } = await page(read, asked, ctx, ports);
      return exportReply(input, headsOf(row), items, next_cursor);
    },
  });
}

export const exportListings = exported({
  what: 'listings',
  noun: 'An agent’s data as files: JSON, or CSV for spreadsheets.',
  description: 'Of the acting agent, newest first.',
  row: ExportedListing,
  no_tool: 'listing.mine shows the same to models',
  page: async (read, { agent_id, cursor = HIGHEST_ID, limit }) => {
    const rows = await read.peek(listingsOfAgent, { agent_id, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    return { items: shown.map(exportedListing), next_cursor };
  },
});

export const exportMatches = exported({
  what: 'matches',
  description:
    'Of the acting agent, in every state, newest first: only matches shown before, so that an export does not count against the plan.',
  row: ExportedMatch,
  no_tool: 'match.list shows the same to models',
  page: async (read, { agent_id, cursor = HIGHEST_ID, limit }) => {
    const rows = await newestMatches(read, { agent_id, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ match_id }) => match_id);
    const own = shown.filter(({ shown_to }) => shown_to.includes(agent_id));
    return { items: own.map((row) => exportedMatch(row, agent_id)), next_cursor };
  },
});

export const exportMessages = exported({
  what: 'messages',
  description: 'All conversations of the acting agent, oldest message first.',
  row: ExportedMessage,
  no_tool: 'message.list shows the same to models',
  page: async (read, { agent_id, cursor = '', limit }) => {
    const { rows, after } = await takeMessages(read, agent_id, cursor, limit);
    return { items: rows.map(exportedMessage), next_cursor: after };
  },
});

export const exportReceipts = exported({
  what: 'receipts',
  description:
    'All entries of the wallet of the acting agent, newest first, each with its signed receipt where there is one.',
  row: ExportedReceipt,
  no_tool: 'receipt.read gives models one of them',
  page: (read, { agent_id, cursor }, { settings, now_ms }, { documents }) =>
    takeReceipts(read, documents, { agent_id, cursor, issuer: settings.base_url, now_ms }),
});
