// The parts in which the document is given too: the operations of a tag, or one operation. The whole is much to read for a model.
import type { AnyOperation } from '../../contract/operation.ts';
import { PROTOCOL_TAGS } from './protocol-paths.ts';

/** The tag that an operation stands under. */
export function nounOf({ name }: AnyOperation): string {
  return name.split('.')[0] ?? '';
}

/** The part of a document that somebody asks for: the operations of a noun, or one. */
export interface Part {
  readonly tag?: string;
  readonly operation?: string;
}

/** Whether an operation of a name stands in a part. */
export function isShown(name: string, { tag, operation }: Part): boolean {
  return (tag === undefined || name.split('.')[0] === tag) && (operation === undefined || name === operation);
}

/** What a part may be, by name: the tags, and the operations. */
export function partsOf(operations: readonly AnyOperation[]): {
  readonly tag: ReadonlySet<string>;
  readonly operation: ReadonlySet<string>;
} {
  const shown = operations.filter(({ rest }) => rest.some(({ alias }) => !alias));
  return {
    tag: new Set([...shown.map(nounOf), ...Object.keys(PROTOCOL_TAGS)]),
    operation: new Set(shown.map(({ name }) => name)),
  };
}
