// The format of a day (UTC): 2026-11-30.

/** The pattern, which does not check that the day exists. */
export const DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
