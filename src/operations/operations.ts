// The list of operations is the folders beside this file: each folder is a noun, each file in it an operation, or several that
// share all but their declaration. A folder below holds parts of the body of the operation whose name it bears. What is not here does
// not exist for any door.
import { Glob } from 'bun';

/** What each file exports, by `noun/file`. In the single binary, where there are no folders to
 * read, scripts/build-binary.ts puts the same files in the place of this one. */
export const OPERATION_FILES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  [...new Glob('*/*.ts').scanSync(import.meta.dir)]
    .sort()
    .map((path) => [path.replace(/\.ts$/, ''), import.meta.require(`./${path}`)]),
);
