// The value of a variable: its own text, or the content of the file that NAME_FILE names, as containers and systemd pass
// secrets. Both at once are refused, because one of them would be ignored.

import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;

interface Given {
  readonly text: string | undefined;
  /** `default`, `environment`, or the path of the file. */
  readonly from: string;
}

/** One line that begins with the name of the wrong variable. It leaves out the path of a file, which may be a secret that was put
 * into the wrong variable. */
interface GivenProblem {
  readonly problem: string;
}

/** `NAME=` in a .env file means the same as no line at all. */
function textOf(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** The text of a variable and where it comes from. */
export function given(
  { name, default: standard }: { readonly name: string; readonly default?: string },
  env: Environment,
): Given | GivenProblem {
  const [own, path] = [textOf(env, name), textOf(env, `${name}_FILE`)];
  if (own !== undefined && path !== undefined) return { problem: `${name} and ${name}_FILE are both set; keep one` };
  if (own !== undefined) return { text: own, from: 'environment' };
  if (path === undefined) return { text: standard, from: 'default' };
  try {
    const text = readFileSync(path, 'utf8').trim();
    // An empty file is a secret that is not written yet, so it does not mean unset.
    return text === '' ? { problem: `${name}_FILE names an empty file` } : { text, from: path };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    return { problem: `${name}_FILE names a file that cannot be read${code}` };
  }
}
