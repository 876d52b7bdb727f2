// The call that decides a dispute for its opener when nobody answered it in time. Armed when it is opened.
import { Type } from 'typebox';
import { Id } from '../../schemas/wire.ts';

export const EXPIRE_DISPUTE = { name: 'dispute.expire', input: Type.Object({ dispute_id: Id }) } as const;
