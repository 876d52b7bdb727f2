// What a test file uses by name from its first line on, although hooks open and close it.
import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test';

const HOOKS = { all: [beforeAll, afterAll], each: [beforeEach, afterEach] } as const;

/** Opens before all tests of the block, or before each, and closes after. What it returns stands for what is open then. */
export function kept<T extends object>(
  tests: keyof typeof HOOKS,
  open: () => Promise<T>,
  close: (opened: T) => Promise<void>,
): T {
  let opened: T | undefined;
  const [before, after] = HOOKS[tests];
  before(async () => {
    opened = await open();
  });
  after(async () => {
    const last = opened;
    opened = undefined;
    if (last) await close(last);
  });
  return new Proxy({} as T, {
    get: (_, name) => {
      if (!opened)
        throw new Error(`\`${String(name)}\` is not open: it is used outside the hooks and tests of its block`);
      const member: unknown = Reflect.get(opened, name);
      return typeof member === 'function' ? member.bind(opened) : member;
    },
    set: () => false,
  });
}
