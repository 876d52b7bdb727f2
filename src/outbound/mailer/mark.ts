// The header that identifies the service's own letters when a mail rule returns them. In a file of its own because the
// composer loads slowly.

/** Marks every letter with the domain that sent it. */
export const LOOP_HEADER = 'X-Loop';
