// The columns of rows that expire and are charged to an account (stored-bytes.ts): the commit that deletes one gives its bytes back.
import type { Builders } from './builders.ts';
import { keep } from './personal.ts';

// Without a return type: drizzle infers the row types from this literal.
export function charged(b: Builders) {
  return {
    /** Null for rows that the service wrote. */
    charged_to: b.code('charged_to', keep),
    bytes: b.int('bytes', keep).notNull().default(0),
  };
}
