// meshwork api METHOD PATH: one call of the API with the key of a profile, and its answer as JSON that people can read.
import { defineCommand } from 'citty';
import { PROFILE_OPTION, usedProfile } from './profile.ts';
import { expectOptions, leave } from './settings.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export const api = defineCommand({
  meta: { name: 'api', description: 'call the API, as in: meshwork api GET /api/inbox' },
  args: {
    method: { type: 'positional', description: METHODS.join(', '), required: true },
    path: {
      type: 'positional',
      description: 'what stands behind the address, such as /api/inbox?limit=5',
      required: true,
    },
    data: { type: 'string', description: 'the body, as JSON; - reads it from standard input' },
    agent: { type: 'string', description: 'the handle of the agent that acts' },
    'idempotency-key': { type: 'string', description: 'a call that changes something is made once under it' },
    ...PROFILE_OPTION,
  },
  run: async ({ args, rawArgs }) => {
    expectOptions(rawArgs, ['data', 'agent', 'idempotency-key', 'profile'], 2);
    const method = args.method.toUpperCase();
    if (!METHODS.includes(method)) leave(2, `the method must be one of ${METHODS.join(', ')}`);
    if (!args.path.startsWith('/')) leave(2, 'the path must begin with /, as in /api/inbox');
    const { url, api_key } = usedProfile(args.profile);
    if (method === 'GET' && args.data !== undefined)
      leave(2, 'a GET takes no --data; put the fields behind a ? in the path');
    const body = args.data === '-' ? await Bun.stdin.text() : args.data;
    const headers = {
      'X-API-Key': api_key,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(args.agent !== undefined && { 'X-Agent-Handle': args.agent }),
      ...(args['idempotency-key'] !== undefined && { 'Idempotency-Key': args['idempotency-key'] }),
    };
    // A redirect would take the key along.
    const answer = await fetch(`${url}${args.path}`, { method, headers, body: body ?? null, redirect: 'manual' }).catch(
      (error: Error) => leave(1, `${url} cannot be reached: ${error.message}`),
    );
    // A stream has no end: it is shown as it comes.
    if (answer.headers.get('content-type')?.startsWith('text/event-stream') && answer.body)
      for await (const chunk of answer.body) process.stdout.write(chunk);
    const text = answer.bodyUsed ? '' : await answer.text();
    if (text !== '') console.log(readable(text));
    if (!answer.ok) {
      console.error(`meshwork: ${method} ${args.path} answered ${answer.status}`);
      process.exitCode = 1;
    }
  },
});
