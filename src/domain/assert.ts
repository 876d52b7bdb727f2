// Assertions: what only a programmer's error can bring about. They throw, and the turn that threw is rolled back.

/** Makes a `switch` exhaustive: the compiler refuses a case that was forgotten. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}

/** Throws unless a condition holds that only a programmer's error can break. */
export function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}
