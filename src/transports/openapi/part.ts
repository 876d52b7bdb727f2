// Parts of the OpenAPI document, for models, as the whole is long: the operations of a tag, or one operation.
import type { AnyOperation } from '../../contract/operation.ts';
import { PROTOCOL_TAGS } from './protocol-paths.ts';

/** The tag of an operation. */
export function nounOf({ name }: AnyOperation): string {
  return name.split('.')[0] ?? '';
}

/** The requested part of a document: the operations of a noun, or one. */
export interface Part {
  readonly tag?: string;
  readonly operation?: string;
}

/** Whether a named operation is in a part. */
export function isShown(name: string, { tag, operation }: Part): boolean {
  return (tag === undefined || name.split('.')[0] === tag) && (operation === undefined || name === operation);
}

/** The possible parts: the names of tags, and of operations. */
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
