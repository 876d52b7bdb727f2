// What any input must keep to, whatever door it came by: so many bytes, and text that every engine keeps and gives back. A
// door decodes; whether what it decoded may come in is judged here alone.

import type { AnyOperation } from '../contract/operation.ts';
import { type Fault, fault, invalid } from '../domain/fault.ts';
import type { Call } from './call.ts';

/** rules.md 1. */
export const INPUT_MAX = 262_144;

/** How many bytes an operation takes; a door reads no further. */
export function inputLimit({ raw, form }: Pick<AnyOperation, 'raw' | 'form'>): number {
  return (raw ?? form)?.bytes_max ?? INPUT_MAX;
}

/** Whether a text is one: no NUL, which PostgreSQL refuses, and no half of a surrogate pair. */
export function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Where in a value the first improper text is, null when all is well. The path is put together on the way back only: most of a
 * hostile body is proper, and holds sixty thousand places. */
function improperPath(value: unknown): string | null {
  if (typeof value === 'string') return isText(value) ? null : '';
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    // By its places: the names of a hundred thousand of them would be as many texts.
    for (const [at, entry] of value.entries()) {
      const found = improperPath(entry);
      if (found !== null) return found === '' ? `${at}` : `${at}.${found}`;
    }
    return null;
  }
  const inside = value as Record<string, unknown>;
  for (const key in inside) {
    const found = isText(key) ? improperPath(inside[key]) : '';
    if (found !== null) return found === '' ? key : `${key}.${found}`;
  }
  return null;
}

/** Why an input may not come in, whatever it says; null when it may. */
export function inputProblem(
  { operation, bytes, named = [] }: Pick<Call, 'operation' | 'bytes' | 'named'>,
  input: Record<string, unknown>,
): Fault | null {
  const limit_bytes = inputLimit(operation);
  if (bytes > limit_bytes) return fault('payload_too_large', undefined, { limit_bytes });
  for (const name of named) if (improperPath(input[name]) !== null) return fault('not_found');
  // A raw body is bytes, one character each.
  const path = improperPath(operation.raw ? { ...input, raw: null } : input);
  if (path === null) return null;
  return invalid({
    path: path.toWellFormed().replaceAll('\0', ''),
    message: 'must be well-formed Unicode without NUL',
  });
}
