// A day (UTC) as it is written: 2026-11-30.

/** The pattern of one; whether there is such a day is another question. */
export const DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
