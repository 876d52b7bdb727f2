// The settings as tables for people: the values of this process, and the reference in src/docs/operate.md.
// Secrets are masked: the tables only tell whether one is set.

import { type Environment, given } from './given.ts';
import { VARIABLES, type Variable } from './variables.ts';

export interface ShownSetting {
  readonly name: string;
  /** Masked where it is a secret; null where nothing is set. */
  readonly value: string | null;
  /** `default`, `environment`, or the path of a file; null where nothing is set. */
  readonly from: string | null;
}

/** An address without the name and password that it may hold. */
function withoutLogin(text: string): string {
  const { protocol, username, password, host, pathname, search } = URL.parse(text) ?? {};
  return username || password ? `${protocol}//(not shown)@${host}${pathname}${search}` : text;
}

const rows = (): Variable<unknown>[] => Object.values<Variable<unknown>>(VARIABLES);

function shownSetting(variable: Variable<unknown>, env: Environment): ShownSetting {
  const { name, secret } = variable;
  const read = given(variable, env);
  if ('problem' in read) return { name, value: '(cannot be read)', from: null };
  if (!read.text) return { name, value: null, from: null };
  return { name, value: secret ? '(set, not shown)' : withoutLogin(read.text), from: read.from };
}

/** Every variable of the table, in its order. */
export function shownSettings(env: Environment): readonly ShownSetting[] {
  return rows().map((variable) => shownSetting(variable, env));
}

/** One line a variable: its name, its value and where that comes from. */
export function showConfig(settings: readonly ShownSetting[]): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  return settings
    .map(({ name, value, from }) => `${name.padEnd(width)}  ${value ?? '(unset)'}${from === null ? '' : ` (${from})`}`)
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
