// Assertions: what only a programmer's error can bring about. They throw, and the turn that threw is rolled back.

/** Makes a `switch` exhaustive: the compiler refuses a case that was forgotten. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
