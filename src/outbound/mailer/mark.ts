// The header by which the service knows its own letters when some rule sends them back. It stands apart from the
// composer, which takes long to load.

/** Marks every letter with the domain that sent it. */
export const LOOP_HEADER = 'X-Loop';
