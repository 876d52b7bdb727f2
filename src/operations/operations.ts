// The folders beside this file are the list of operations: each folder is a noun, each file in it an operation, or several that
// share all but their declaration. A deeper folder holds parts of the operation of the same name. No transport serves anything else.
import { Glob } from 'bun';

/** The exports of each file, by `noun/file`. */
export const OPERATION_FILES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  [...new Glob('*/*.ts').scanSync(import.meta.dir)]
    .sort()
    .map((path) => [path.replace(/\.ts$/, ''), import.meta.require(`./${path}`)]),
);
