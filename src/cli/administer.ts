// Administrative acts: POST /internal/admin/<act> with X-Internal-Token; the answer is printed unchanged.

import { defineCommand } from 'citty';
import { callServer, internalToken, reachServer } from './running-server.ts';
import { expectArguments, leave, settings } from './settings.ts';

/** Checking a ledger of many years takes minutes. */
const PATIENCE_MS = 3_600_000;

/** The acts with the bodies of their routes. */
interface Acts {
  readonly create: { readonly email: string };
  readonly invite: { readonly email?: string; readonly mail: boolean };
  readonly 'set-plan': { readonly email: string; readonly plan: string };
  readonly 'clock-accept': Readonly<Record<string, never>>;
  readonly 'ledger-reseal': Readonly<Record<string, never>>;
}

interface Printed {
  readonly done: boolean;
  readonly text: string;
}

/** The message of a refusal; for an unknown body, its status. */
export function refusal(status: number, body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not JSON, so not from the service.
  }
  return `the server answered ${status}`;
}

async function ask(url: string, token: string | undefined, body: string): Promise<Printed> {
  if (token === undefined) return { done: false, text: 'the internal token cannot be read; set INTERNAL_TOKEN' };
  const headers = { 'Content-Type': 'application/json', 'X-Internal-Token': token };
  const answer = await callServer('POST', url, headers, body, PATIENCE_MS).catch(() => undefined);
  if (!answer) return { done: false, text: `nothing answers at ${url}` };
  const done = answer.status >= 200 && answer.status <= 299;
  return { done, text: done ? answer.body : refusal(answer.status, answer.body) };
}

/** Does the act and returns the server's answer; a refusal ends the process with its message. */
async function act<Act extends keyof Acts>(act: Act, body: Acts[Act]): Promise<string> {
  const config = settings();
  const server = await reachServer(config);
  const url = `${server.url}/internal/admin/${act}`;
  const outcome = await ask(url, internalToken(config), JSON.stringify(body)).finally(() => server.release());
  return outcome.done ? outcome.text : leave(1, outcome.text);
}

async function administer<Act extends keyof Acts>(name: Act, body: Acts[Act]): Promise<void> {
  console.log(await act(name, body));
}

// meshwork admin create EMAIL: makes a person an administrator, with a new account if they have none.

export const adminCreate = defineCommand({
  meta: { name: 'create', description: 'make a person an administrator' },
  args: { email: { type: 'positional', description: 'its e-mail address', required: true } },
  run: async ({ args, rawArgs }) => {
    expectArguments(rawArgs, 1);
    await administer('create', { email: args.email });
  },
});

// meshwork invite [EMAIL] [--mail]: prints a link by which one person may create an account.

export const invite = defineCommand({
  meta: { name: 'invite', description: 'print a link by which one person may make an account, within 14 days' },
  args: {
    email: { type: 'positional', description: 'the only address that it lets in', required: false },
    mail: { type: 'boolean', description: 'mail it to that address too' },
  },
  run: async ({ args, rawArgs }) => {
    expectArguments(
      rawArgs.filter((argument) => argument !== '--mail'),
      1,
    );
    const answer = await act('invite', {
      ...(args.email !== undefined && { email: args.email }),
      mail: args.mail === true,
    });
    // Our own server's answer, in its declared shape.
    console.log((JSON.parse(answer) as { readonly url: string }).url);
  },
});

// meshwork admin set-plan EMAIL free|pro: changes the plan of an account, as a finished checkout would.

export const adminSetPlan = defineCommand({
  meta: { name: 'set-plan', description: 'change the plan of an account' },
  args: {
    email: { type: 'positional', description: "the account's e-mail address", required: true },
    plan: { type: 'positional', description: 'free or pro', required: true },
  },
  run: async ({ args, rawArgs }) => {
    expectArguments(rawArgs, 2);
    if (args.plan !== 'free' && args.plan !== 'pro') leave(2, 'the plan must be free or pro');
    await administer('set-plan', { email: args.email, plan: args.plan });
  },
});

// meshwork clock accept: accepts the clock as correct, so that sealing and pruning continue.

export const clockAccept = defineCommand({
  meta: { name: 'accept', description: 'take the clock for right as it is: sealing and pruning wait no longer' },
  run: async ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    await administer('clock-accept', {});
  },
});

// meshwork ledger reseal: seals again the days that a wrong clock has sealed, and prints the signed note of what was replaced.

export const ledgerResealVerb = defineCommand({
  meta: { name: 'reseal', description: 'seal anew the days that a wrong clock has sealed' },
  run: async ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    await administer('ledger-reseal', {});
  },
});
