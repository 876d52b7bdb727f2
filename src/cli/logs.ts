// meshwork logs tail: what a program asks with the key of a profile, as it comes, and what it is answered.
import { defineCommand } from 'citty';
import { PROFILE_OPTION, usedProfile } from './profile.ts';
import { expectOptions, leave } from './settings.ts';

const PAUSE_MS = 1_000;

interface Asked {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly duration_ms: number;
}

const lineOf = ({ at, method, path, operation, status, duration_ms, request_id }: Asked): string =>
  `${at}  ${status}  ${method.padEnd(6)} ${path}  ${operation}  ${duration_ms} ms  ${request_id}`;

export const logsTail = defineCommand({
  meta: { name: 'tail', description: 'print the last requests with the key of a profile, and those that come' },
  args: PROFILE_OPTION,
  run: async ({ args, rawArgs }) => {
    expectOptions(rawArgs, ['profile'], 0);
    const { url, api_key } = usedProfile(args.profile);
    const ask = async (): Promise<readonly Asked[]> => {
      const path = `${url}/api/auth/key/requests`;
      const answer = await fetch(path, { headers: { 'X-API-Key': api_key }, redirect: 'manual' });
      const said = await answer.json().catch(() => null);
      // The service's own answer, in its declared shape.
      return answer.ok ? (said as Asked[]).toReversed() : leave(1, said?.message ?? `${url} answered ${answer.status}`);
    };
    let told = new Set<string>();
    for (let first = true; ; first = false) {
      const asked = await ask().catch((error: Error) => {
        if (first) leave(1, `${url} cannot be reached: ${error.message}`);
        return null;
      });
      // A restarted service has forgotten the position.
      for (const each of asked ?? []) {
        if (!told.has(each.request_id)) console.log(lineOf(each));
      }
      if (asked) told = new Set(asked.map(({ request_id }) => request_id));
      await Bun.sleep(PAUSE_MS);
    }
  },
});
