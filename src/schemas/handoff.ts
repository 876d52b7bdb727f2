// Links from agents to their people, on the wire.
import { Type } from 'typebox';
import { HANDOFF_PURPOSES } from '../domain/agent/handoff.ts';

/** What a link asks its person for. */
export const HandoffPurpose = Type.Enum([...HANDOFF_PURPOSES]);

/** The token at the end of a link's address. */
export const HandoffToken = Type.String({ minLength: 1, maxLength: 200 });
