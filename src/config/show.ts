// The settings as tables for people: what this process would run with, and the reference in src/docs/operate.md.
// Secrets never leave here: whether one is set is all that is told.

import type { Environment } from '../config.ts';
import { VARIABLES, type Variable } from './variables.ts';

/** The variables that something acts on. */
const rows = (): Variable<unknown>[] => Object.values<Variable<unknown>>(VARIABLES);

function shownValue(variable: Variable<unknown>, env: Environment): string {
  const text = env[variable.name]?.trim();
  if (!text) return variable.default ? `${variable.default} (default)` : '(unset)';
  return variable.secret ? '(set, not shown)' : text;
}

/** One line a variable: its name and the value in force. */
export function showConfig(env: Environment): string {
  const width = Math.max(...rows().map(({ name }) => name.length));
  return rows()
    .map((variable) => `${variable.name.padEnd(width)}  ${shownValue(variable, env)}`)
    .join('\n');
}

/** The reference table of src/docs/operate.md, in Markdown. */
export function configReference(): string {
  const body = rows().map(({ name, default: standard, meaning }) => {
    const text = standard === undefined ? 'unset' : standard === '' ? 'empty' : `\`${standard}\``;
    return `| \`${name}\` | ${text} | ${meaning} |`;
  });
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...body].join('\n');
}
