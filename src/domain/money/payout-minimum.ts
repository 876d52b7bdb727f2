// What is worth the way out.

/** The least that is withdrawn, by either rail (interface.md, Limits; Q127). */
export const PAYOUT_MIN_CENTS = 1_000;
