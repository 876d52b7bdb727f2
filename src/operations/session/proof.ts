// What the last step of signup and login reads: the code that was mailed to an address, and the account that it has.
import { accountByEmail, codeById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { parseEmail } from '../../domain/email.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import type { CodePurpose } from '../../outbound/mailer/letters.ts';
import { codeId } from './code.ts';

interface Proof {
  /** As it is compared and stored, or why the given text is none. */
  readonly address: string | Fault<'invalid_request'>;
  readonly code: Row<'codes'> | null;
  readonly account: Row<'accounts'> | null;
}

/** The rows that `checkCode` and the operation after it decide on; both absent when the address is none. */
export async function readProof(read: Read, purpose: CodePurpose, email: string): Promise<Proof> {
  const address = parseEmail(email);
  if (isFault(address)) return { address, code: null, account: null };
  const [code, account] = await Promise.all([
    read(codeById, { id: codeId(purpose, address) }),
    read(accountByEmail, { email: address }),
  ]);
  return { address, code, account };
}
