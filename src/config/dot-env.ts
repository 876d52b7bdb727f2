// Warns about `$` in a `.env` file: Bun silently expands it as a variable, also within single quotes.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from './given.ts';
import { VARIABLES } from './variables.ts';

/** The settings whose value differs from the file because of a `$`. */
export function expandedNames(file: string, env: Environment): string[] {
  const written = parseEnv(file);
  return Object.values(VARIABLES)
    .flatMap(({ name }) => [name, `${name}_FILE`])
    .filter((name) => {
      const value = written[name];
      return value?.includes('$') && env[name] !== value.replaceAll('\\$', '$');
    });
}

/** A line for each such setting of the file that Bun reads in the working folder. */
export function dotEnvWarnings(env: Environment): string[] {
  let file = '';
  try {
    file = readFileSync('.env', 'utf8');
  } catch {
    // The file is optional.
  }
  return expandedNames(file, env).map(
    (name) => `${name} does not have the value that stands in .env: Bun expands a $ there, so write \\$ for it`,
  );
}
