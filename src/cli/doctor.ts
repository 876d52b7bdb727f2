// meshwork doctor: examines the running service, else the folder itself, and says how to correct each finding. Exits with 1 when
// something is wrong, or could not be checked.

import { defineCommand } from 'citty';
import { examineFolder } from '../compose/doctor/examine.ts';
import type { Config } from '../config.ts';
import { callServer, internalToken, reachServer, runningServer } from './running-server.ts';
import { expectArguments, leave, settings } from './settings.ts';

/** Reading every page of a large file takes minutes. */
const PATIENCE_MS = 3_600_000;
const PROGRESS_MS = 5_000;

type Findings = Awaited<ReturnType<typeof examineFolder>>;

/** As people read it: the state, the check, what was found, and below it what to do. */
function tableOf(findings: Findings): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .flatMap(({ check, state, found, mend }) => [
      `${state.padEnd('inconclusive'.length)}  ${check.padEnd(width)}  ${found}`,
      ...(mend === null ? [] : [`${' '.repeat('inconclusive'.length + width + 4)}→ ${mend}`]),
    ])
    .join('\n');
}

/** Asks a service; a sentence when its answer is invalid. */
async function ask(config: Config, url: string, fix: boolean): Promise<Findings | string> {
  const token = internalToken(config);
  if (token === undefined) return 'the internal token cannot be read; set INTERNAL_TOKEN';
  const headers = { 'Content-Type': 'application/json', 'X-Internal-Token': token };
  const asked = callServer('POST', `${url}/internal/doctor`, headers, JSON.stringify({ fix }), PATIENCE_MS);
  const answer = await asked.catch(() => null);
  if (answer === null) return `nothing answers at ${url}`;
  // Our own server's answer, in its declared shape.
  return answer.status === 200 ? JSON.parse(answer.body).findings : `the service answered ${answer.status}`;
}

/** Examines through the running service, or a temporary one for repairs; else reads the folder. */
async function examine(config: Config, fix: boolean): Promise<Findings> {
  if (!fix && runningServer(config) === undefined) return examineFolder(config, Date.now());
  const server = await reachServer(config);
  const found = await ask(config, server.url, fix).finally(() => server.release());
  if (typeof found !== 'string') return found;
  const mend = 'look at its log, and restart it; below is what the folder itself says';
  return [{ check: 'service', state: 'wrong', found, mend }, ...(await examineFolder(config, Date.now()))];
}

export const doctor = defineCommand({
  meta: {
    name: 'doctor',
    description: 'examine the service or its folder, and say what to do; ends with 1 where something is wrong',
  },
  args: {
    json: { type: 'boolean', description: 'print the findings as JSON' },
    fix: { type: 'boolean', description: 'mend what follows from the rows alone: heads, the index of vectors' },
  },
  run: async ({ args, rawArgs }) => {
    expectArguments(
      rawArgs.filter((argument) => argument !== '--json' && argument !== '--fix'),
      0,
    );
    const config = settings();
    const began = Date.now();
    const progress = setInterval(() => {
      console.error(`examining for ${Math.round((Date.now() - began) / 1_000)} s`);
    }, PROGRESS_MS);
    const findings = await examine(config, args.fix === true)
      .catch((error: unknown) => leave(1, error instanceof Error ? error.message : 'it could not be examined'))
      .finally(() => clearInterval(progress));
    const ok = !findings.some(({ state }) => state === 'wrong' || state === 'inconclusive');
    console.log(args.json ? JSON.stringify({ ok, findings }, null, 2) : tableOf(findings));
    // Threads of a check may still be about.
    process.exit(ok ? 0 : 1);
  },
});
