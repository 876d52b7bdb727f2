// The server and credential of a developer's commands: MESHWORK_URL with MESHWORK_API_KEY, else a profile that `meshwork login` has
// saved in this user's configuration folder, readable only by this user.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from '../config/given.ts';
import { environment } from '../config.ts';
import { leave } from './settings.ts';

/** Valid header characters, which include those of keys and access tokens. */
const KEY = /^[\x21-\x7e]{1,8192}$/;
const NAME = /^[\w.-]{1,40}$/;
const OR_LOGIN = 'Or unset both and run meshwork login URL once';

/** The profile when none is named. */
export const DEFAULT_PROFILE = 'default';

/** A server, and a key of it. */
export interface Profile {
  readonly url: string;
  readonly api_key: string;
}

/** The address of a server without trailing slash, query and fragment, or a text with the problem. */
export function serverUrl(text: string): URL | string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be a URL that begins with http:// or https://';
  // They would appear in logs and process lists.
  if (url.username !== '' || url.password !== '') return 'must not hold a name or password';
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/$/, '');
  return url;
}

/** The file of all profiles, by the XDG base directories. */
function profilesFile({ XDG_CONFIG_HOME: folder, HOME = homedir() }: Environment): string {
  return join(folder || join(HOME, '.config'), 'meshwork/profiles.json');
}

function profiles(env: Environment): Readonly<Record<string, Profile>> {
  const file = profilesFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    return leave(2, `${file} cannot be read: ${error instanceof Error ? error.message : 'no reason was given'}`);
  }
  try {
    const read: unknown = JSON.parse(text);
    return Object(read) as Record<string, Profile>;
  } catch {
    return leave(2, `${file} is no JSON; mend it, or remove it and run meshwork login`);
  }
}

function write(kept: Readonly<Record<string, Profile>>): string {
  const file = profilesFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
  return file;
}

/** Rewrites the profiles unchanged; a failure ends the process. */
export function prepareProfiles(): void {
  try {
    write(profiles(environment));
  } catch (error) {
    leave(2, `no profile can be kept: ${error instanceof Error ? error.message : 'no reason was given'}`);
  }
}

/** Saves a profile, replacing one of its name. Returns the file. */
export function saveProfile(name: string, profile: Profile): string {
  return write({ ...profiles(environment), [name]: profile });
}

/** The typed name of a profile; an invalid one ends the process. */
export function profileName(name: string | undefined): string {
  const said = name ?? DEFAULT_PROFILE;
  return NAME.test(said) ? said : leave(2, '--profile takes 1 to 40 letters, digits, dots, dashes and underscores');
}

/** The server and key of a command, or a text with the problem, which never contains the key. The environment comes first, unless a
 * profile is named. */
export function chosenProfile(env: Environment, name?: string): Profile | string {
  const [given_url, given_key] = [env.MESHWORK_URL?.trim(), env.MESHWORK_API_KEY?.trim()];
  const from_environment = name === undefined && (given_url || given_key);
  const kept = from_environment ? undefined : profiles(env)[name ?? DEFAULT_PROFILE];
  if (name !== undefined && kept === undefined)
    return `there is no profile ${name}; meshwork login URL --profile ${name} makes it`;
  const { url: text, api_key } = kept ?? { url: given_url, api_key: given_key };
  if (!text && !api_key)
    return 'no server is known: run meshwork login URL once, or set MESHWORK_URL and MESHWORK_API_KEY';
  if (!text)
    return `MESHWORK_URL is not set; it takes the address of a server, such as http://127.0.0.1:3000. ${OR_LOGIN}`;
  const url = serverUrl(text);
  if (typeof url === 'string') return `${kept ? 'the address of the profile' : 'MESHWORK_URL'} ${url}`;
  if (!api_key) return `MESHWORK_API_KEY is not set; it takes the API key of an agent or an account. ${OR_LOGIN}`;
  if (!KEY.test(api_key))
    return `${kept ? 'the key of the profile' : 'MESHWORK_API_KEY'} holds characters that no key has`;
  return { url: url.href.replace(/\/$/, ''), api_key };
}

/** The same; a problem ends the process. */
export function usedProfile(name: string | undefined): Profile {
  const chosen = chosenProfile(environment, name === undefined ? undefined : profileName(name));
  return typeof chosen === 'string' ? leave(2, chosen) : chosen;
}

/** The option of all such commands. */
export const PROFILE_OPTION = {
  profile: {
    type: 'string',
    description: 'a profile of meshwork login, in place of MESHWORK_URL and MESHWORK_API_KEY',
  },
} as const;
