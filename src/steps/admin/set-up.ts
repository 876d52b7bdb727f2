// The first administrator is made by a link that the server prints to its log, which only the operator reads.

/** Long enough to copy the link out of the log; expired before others may read that log. */
export const SET_UP_LIFE_MS = 30 * 60_000;
