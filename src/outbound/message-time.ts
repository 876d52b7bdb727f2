// Reads the time out of a message's id, so that its Date header and the outbox follow the service's clock (which
// TEST_CLOCK moves) without asking any clock, and a redriven message bears the same date.

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The epoch milliseconds in a UUID version 7 (RFC 9562, 5.7). Throws on any other text: ids name files and header
 * fields, so one that came from elsewhere must not get that far.
 */
export function messageTime(id: string): number {
  if (!UUID_V7.test(id)) throw new Error('a message id must be a lowercase UUID version 7');
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
