// Assertions of conditions that only a programming error can break. They throw, and the turn is rolled back.

/** Makes a `switch` exhaustive: the compiler refuses a missing case. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}

export function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}
