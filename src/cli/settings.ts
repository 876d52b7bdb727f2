// What every verb does first: read the settings, and leave with one line if they are wrong (exit 2, rules.md 1).

import { dotEnvWarnings } from '../config/dot-env.ts';
import { type Config, environment, isConfigProblem, readConfig } from '../config.ts';

/** Ends the process with one line on standard error. Status 2 means that the caller has to change something first. */
export function leave(status: 1 | 2, reason: string): never {
  console.error(`meshwork: ${reason}`);
  process.exit(status);
}

/** The checked settings of this process; wrong ones end it. */
export function settings(): Config {
  for (const warning of dotEnvWarnings(environment)) console.error(`meshwork: ${warning}`);
  const config = readConfig(environment);
  return isConfigProblem(config) ? leave(2, config.problem) : config;
}

/** Refuses arguments that a verb does not have: a mistyped option must not be taken for its effect. */
export function expectArguments(given: readonly string[], count: number): void {
  const surplus = given.find((argument) => argument.startsWith('-')) ?? given[count];
  if (surplus !== undefined) leave(2, `unknown argument ${surplus}; settings are variables, see config show`);
}
