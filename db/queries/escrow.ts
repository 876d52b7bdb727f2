// Reads of escrows and their milestones.
import { byId } from '../query.ts';

export const escrowById = byId('escrows');
export const milestoneById = byId('milestones');
