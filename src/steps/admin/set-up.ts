// How the first administrator comes to be: by a link that the server prints where only its operator reads.

/** Long enough to copy it out of a log, and gone before that log is anybody else's. */
export const SET_UP_LIFE_MS = 30 * 60_000;
