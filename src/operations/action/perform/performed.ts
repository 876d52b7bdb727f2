// Runs one operation within another's turn, under its own declaration.

import type { Static, TSchema } from 'typebox';
import type { Decision, Read } from '../../../../db/store.ts';
import type { Ctx } from '../../../contract/context.ts';
import type { Command } from '../../../contract/operation.ts';
import type { LoadPorts } from '../../../contract/ports.ts';
import type { Code } from '../../../domain/fault.ts';
import type { Scoped } from '../../../steps/admission.ts';

/** Another operation within a turn: its declared access, and a loader that reads its state and answers its decision. */
export interface Performed<G extends readonly unknown[], C extends Code> {
  declared(...given: G): Scoped & { readonly gate?: 'verified' };
  load(read: Read, given: G, ctx: Ctx, ports: LoadPorts): Promise<() => Decision<unknown, C>>;
}

/** Wraps operations whose inputs are derived from the given values. */
export function performing<G extends readonly unknown[]>(): <I extends TSchema, O extends TSchema, C extends Code, L>(
  operation: Command<I, O, C, L>,
  inputOf: (...given: G) => Static<I>,
) => Performed<G, C> {
  return (operation, inputOf) => ({
    declared: () => operation,
    load: async (read, given, ctx, ports) => {
      const input = inputOf(...given);
      const state = await operation.load(read, input, ctx, ports);
      return () => operation.decide(state, input, ctx);
    },
  });
}
