// meshwork outbox ADDRESS: prints the newest letter or text message to an address or phone number, from a server without senders, which
// writes them to DATA_DIR/outbox. Read access to that folder gives access to the codes in it; pages never show one.

import { defineCommand } from 'citty';
import { callServer, internalToken, reachServer } from './running-server.ts';
import { expectArguments, leave, settings } from './settings.ts';

interface Message {
  readonly created_at: string;
  readonly subject?: string;
  readonly text: string;
}

async function listTo(url: string, token: string | undefined, address: string): Promise<readonly Message[]> {
  if (token === undefined) leave(1, 'the internal token cannot be read; set INTERNAL_TOKEN');
  const path = `/internal/outbox?to=${encodeURIComponent(address)}`;
  const { status, body } = await callServer('GET', `${url}${path}`, { 'X-Internal-Token': token });
  if (status === 404)
    leave(1, 'this server sends its letters and text messages (SMTP_URL and SMS_URL are set), and keeps none');
  if (status !== 200) leave(1, `the server answered ${status}`);
  // Our own server's answer, in its declared shape.
  return JSON.parse(body) as Message[];
}

export const outbox = defineCommand({
  meta: { name: 'outbox', description: 'print the newest letter or text message to an address' },
  args: { address: { type: 'positional', description: 'an e-mail address or a phone number', required: true } },
  run: async ({ args, rawArgs }) => {
    expectArguments(rawArgs, 1);
    const config = settings();
    const server = await reachServer(config);
    const [newest] = await listTo(server.url, internalToken(config), args.address).finally(() => server.release());
    if (!newest) leave(1, `nothing to ${args.address} is in ${config.dataDir}/outbox`);
    const { created_at, subject, text } = newest;
    console.log([created_at, ...(subject === undefined ? [] : [subject]), '', text].join('\n'));
  },
});
