// The call that looks after a provisional agent which nobody has claimed.
import { Type } from 'typebox';
import { Id } from '../../schemas/wire.ts';

export const CLEANUP = {
  name: 'provision.cleanup',
  input: Type.Object({ account_id: Id, install_id: Type.String() }),
} as const;
