// Reads of what turns keep beside the nouns: guarded counters, and how far service time was moved on. Only a count effect
// changes a counter; a figure read here may be old by the time of the commit.
import { byId } from '../query.ts';

export const counterById = byId('counters', null);

export const movedTimeById = byId('service_time', null);
