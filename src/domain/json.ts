// Parsed JSON before validation.

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON: neither null nor an array. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
