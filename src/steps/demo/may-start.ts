// Whether a demo world may be started: only where no real money moves and nobody but administrators would meet it.
import { peopleBefore } from '../../../db/queries/admin.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import type { Settings } from '../../contract/context.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { PLATFORM_ACCOUNT_ID } from '../../domain/agent/platform.ts';

/** An instance with more accounts is in use. */
const LOOKED_AT = 100;

export async function mayStart(
  read: Read,
  { joining }: Pick<Settings, 'joining'>,
  { processor }: Pick<LoadPorts, 'processor'>,
): Promise<'yes' | 'no_sandbox' | 'people'> {
  if (processor?.name !== 'sandbox') return 'no_sandbox';
  const accounts = await read(peopleBefore, { before: HIGHEST_ID, limit: LOOKED_AT });
  const isOther = ({ id, admin_at, email }: (typeof accounts)[number]): boolean =>
    id !== PLATFORM_ACCOUNT_ID && admin_at === null && !(email !== null && joining.administrators.includes(email));
  return accounts.length === LOOKED_AT || accounts.some(isOther) ? 'people' : 'yes';
}
