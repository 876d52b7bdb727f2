// The first step of every command: reads the settings, and exits with one line if they are invalid (exit 2, rules.md 1).

import { statSync } from 'node:fs';
import { dotEnvWarnings } from '../config/dot-env.ts';
import { type Config, environment, isConfigProblem, readConfig } from '../config.ts';

/** Ends the process with one line on standard error. Status 2 means that the caller has to change something first. */
export function leave(status: 1 | 2, reason: string): never {
  console.error(`meshwork: ${reason}`);
  process.exit(status);
}

/** Runs a command's work; a failure ends the process with one line. */
export async function orLeave<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return leave(1, error instanceof Error ? error.message : String(error));
  }
}

/** The checked settings of this process; wrong ones end it. */
export function settings(): Config {
  for (const warning of dotEnvWarnings(environment)) console.error(`meshwork: ${warning}`);
  const config = readConfig(environment);
  return isConfigProblem(config) ? leave(2, config.problem) : config;
}

/** Keeps root from writing files that the user of a folder could not use, and from trusting those that this user wrote. */
export function refuseForeign(folder: string, name = 'DATA_DIR'): void {
  const user = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (process.geteuid?.() === 0 && user !== undefined && user !== 0)
    leave(1, `${name} belongs to another user; run it as that user (sudo -u '#${user}' …)`);
}

/** Refuses arguments that a verb does not have: a mistyped option must not be taken for its effect. */
export function expectArguments(given: readonly string[], count: number): void {
  const surplus = given.find((argument) => argument.startsWith('-')) ?? given[count];
  if (surplus !== undefined) leave(2, `unknown argument ${surplus}; settings are variables, see config show`);
}

/** The same for a verb that takes options, each with a value: `--name value` or `--name=value`. */
export function expectOptions(given: readonly string[], options: readonly string[], count: number): void {
  const rest: string[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const argument = given[at] ?? '';
    const [name = '', value] = argument.split('=', 2);
    if (!options.some((option) => name === `--${option}`)) rest.push(argument);
    else if (value === undefined) at += 1;
    if (at >= given.length) leave(2, `${name} takes a value`);
  }
  expectArguments(rest, count);
}
