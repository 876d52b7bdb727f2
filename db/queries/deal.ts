// Reads of deals, what is said of them, and what an agent has done here.
import { byId } from '../query.ts';

export const dealById = byId('deals');
export const trackRecordById = byId('track_records');
