// meshwork login URL: a key for the commands of a developer. A person lets the program in on a page of the server (the device grant),
// and the key is kept in a profile of this user.
import { defineCommand } from 'citty';
import { DEFAULT_PROFILE, prepareProfiles, profileName, saveProfile, serverUrl } from './profile.ts';
import { expectOptions, leave } from './settings.ts';

interface Begun {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly interval: number;
}

/** The answer of a poll: a key, or why there is none (yet). */
interface Polled {
  readonly api_key?: string;
  readonly error?: string;
  readonly message?: string;
}

async function post<T>(url: string, body: object): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
  }).catch((error: Error) => leave(1, `${url} cannot be reached: ${error.message}`));
  const said = (await answer.json().catch(() => ({}))) as T & { message?: string };
  return answer.ok ? said : leave(1, said.message ?? `${url} answered ${answer.status}`);
}

/** Asks until the person has decided; the pause grows when the server asks for it (RFC 8628, 3.5). */
async function keyOf(url: string, { device_code, interval }: Begun): Promise<string> {
  for (let pause = interval; ; ) {
    await Bun.sleep(pause * 1_000);
    const { api_key, error, message = error } = await post<Polled>(`${url}/api/auth/device/token`, { device_code });
    if (api_key !== undefined) return api_key;
    if (error === 'slow_down') pause += 5;
    else if (error !== 'authorization_pending') leave(1, message ?? 'no key was given');
  }
}

export const login = defineCommand({
  meta: { name: 'login', description: 'get a key of a server for listen, api and mcp, and keep it in a profile' },
  args: {
    url: {
      type: 'positional',
      description: 'the address of a server, such as https://mesh.example.org',
      required: true,
    },
    profile: { type: 'string', description: 'the name under which it is kept', default: DEFAULT_PROFILE },
  },
  run: async ({ args, rawArgs }) => {
    expectOptions(rawArgs, ['profile'], 1);
    const name = profileName(args.profile);
    const address = serverUrl(args.url);
    if (typeof address === 'string') leave(2, `the address ${address}`);
    const url = address.href.replace(/\/$/, '');
    // The key is given once: what keeps it is tried before.
    prepareProfiles();
    const begun = await post<Begun>(`${url}/api/auth/device/code`, { client_name: 'meshwork command line' });
    console.error(`Open ${begun.verification_uri} and type ${begun.user_code}. Waiting for you …`);
    const api_key = await keyOf(url, begun);
    console.log(`kept in ${saveProfile(name, { url, api_key })}`);
  },
});
