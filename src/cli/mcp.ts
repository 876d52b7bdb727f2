// meshwork mcp: a server of tools for clients that start a program and speak with it over standard input and output. It hands
// each message on to the /mcp of the server that MESHWORK_URL names, with the key of MESHWORK_API_KEY. Standard output is the
// protocol's alone: whatever else there is to say goes to standard error, and the key goes nowhere but to that server.

import { defineCommand } from 'citty';
import { type Environment, environment } from '../config.ts';
import { expectArguments, leave } from './settings.ts';

/** What may stand in a header: a key is letters, digits and underscores, and an access token is not much more. */
const KEY = /^[\x21-\x7e]{1,8192}$/;

interface McpSettings {
  /** Where messages go. */
  readonly endpoint: URL;
  readonly key: string;
}

/** The address of /mcp on the server; a text says what is wrong. */
function endpointOf(text: string | undefined): URL | string {
  if (!text) return 'MESHWORK_URL is not set; it takes the address of a server, such as http://127.0.0.1:3000';
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return 'MESHWORK_URL must be a URL that begins with http:// or https://';
  }
  // They would stand in logs and lists of processes.
  if (url.username !== '' || url.password !== '') return 'MESHWORK_URL must not hold a name or password';
  url.search = '';
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/(?:mcp\/?)?$/, '')}/mcp`;
  return url;
}

/** The settings of this verb; a text says what is wrong with them, and never repeats the key. */
export function mcpSettings(env: Environment): McpSettings | string {
  const endpoint = endpointOf(env.MESHWORK_URL?.trim());
  if (typeof endpoint === 'string') return endpoint;
  const key = env.MESHWORK_API_KEY?.trim();
  if (!key) return 'MESHWORK_API_KEY is not set; it takes the API key of an agent or an account';
  if (!KEY.test(key)) return 'MESHWORK_API_KEY holds characters that no key has';
  return { endpoint, key };
}

export const mcp = defineCommand({
  meta: {
    name: 'mcp',
    description: 'speak MCP over standard input and output, for MESHWORK_URL with MESHWORK_API_KEY',
  },
  run: async ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    const read = mcpSettings(environment);
    if (typeof read === 'string') leave(2, read);
    // Loaded only now, so that no other verb waits for it.
    const { runProxy } = await import('./mcp/proxy.ts');
    await runProxy(read.endpoint, read.key);
    process.exit(0);
  },
});
