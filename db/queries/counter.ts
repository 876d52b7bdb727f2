// Reads of guarded counters. Only a count effect changes one; a figure read here may be old by the time of the commit.
import { byId } from '../query.ts';

export const counterById = byId('counters', null);
