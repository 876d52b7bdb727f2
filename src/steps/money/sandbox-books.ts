// The books of the built-in processor: the rows that its pages write, and our own payouts.
import { payoutById, sandboxObject } from '../../../db/queries/processor.ts';
import type { Read } from '../../../db/store.ts';
import type { SandboxBooks } from '../../outbound/processor/sandbox.ts';

export function sandboxBooks(read: Read): SandboxBooks {
  return {
    decided: (id) => read(sandboxObject, { id }),
    submittedAt: async (id) => (await read(payoutById, { id }))?.submitted_at ?? null,
  };
}
