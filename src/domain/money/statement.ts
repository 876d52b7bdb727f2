// A wallet's statement: its postings by number, which commits assign without gaps, so that pages are stable while money moves.

/** The columns of the statement as a table. */
export const CSV_HEADS = [
  'at',
  'kind',
  'amount_cents',
  'balance_after_cents',
  'counterparty_handle',
  'reference_id',
  'note',
  'journal_id',
  'gross_cents',
  'fee_cents',
  'net_cents',
] as const;

/** Entries a page of CSV. */
export const CSV_ENTRIES = 1_000;

/** Sorts after every posting's number. */
export const AFTER_ALL = Number.MAX_SAFE_INTEGER;
