// The two ends of a copy from one engine to another: where rows are read, and where they are put.
import type { Snapshot, Stored } from '../ledger-check/snapshot.ts';
import type { Shape } from '../postgres/shapes.ts';

/** Why nothing was copied, as one line for the operator. */
export class CopyProblem extends Error {}

/** The secrets of a service by their names. */
export type SecretValues = Readonly<Record<string, string>>;

export interface CopySource extends Snapshot {
  secrets(): Promise<SecretValues>;
}

export interface CopyTarget extends CopySource {
  put(shape: Shape, rows: readonly Stored[]): Promise<void>;
  putSecrets(values: SecretValues): Promise<void>;
  /** Derives what is no row of the spec, when all rows are there. */
  derive(): Promise<void>;
}
