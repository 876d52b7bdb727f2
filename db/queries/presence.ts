// Reads of presence.
import { byId } from '../query.ts';

export const presenceOf = byId('presence', null);
