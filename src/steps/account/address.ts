// The two codes by which an account moves to another address.

/** The row of the code that one of the two addresses got; the account's own, so that there is one change at a time. */
export function addressCodeId(purpose: 'leave_address' | 'take_address', account_id: string): string {
  return `${purpose}:${account_id}`;
}
