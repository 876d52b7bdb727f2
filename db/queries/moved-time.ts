// Reads how far service time was moved on.
import { byId } from '../query.ts';

export const movedTimeById = byId('service_time', null);
