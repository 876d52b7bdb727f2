// meshwork listen: an agent's events, handed as signed webhooks to a program on this machine, which no webhook of the service reaches.
// meshwork trigger: one such delivery of any kind, made up here, so that a receiver can be tried before anything happens.
import { request } from 'node:http';
import { defineCommand } from 'citty';
import { MeshworkClient, MeshworkError } from '../client/package.ts';
import { environment } from '../config.ts';
import { envelope, type SentEvent } from '../delivery/attempt.ts';
import { EVENT_KINDS, isEventKind } from '../domain/inbox/event.ts';
import { sampleData } from '../domain/inbox/sample.ts';
import { DEADLINE_MS, isAccepted } from '../domain/inbox/webhook.ts';
import { sha256 } from '../outbound/hash.ts';
import { signHeaders, webhookSecret } from '../outbound/webhook-signature.ts';
import { chosenProfile, PROFILE_OPTION, type Profile, usedProfile } from './profile.ts';
import { expectOptions, leave } from './settings.ts';

/** The address of a receiver on this machine; anything else ends the process. */
function receiverAt(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:') leave(2, '--forward-to takes an address such as http://localhost:4000/hooks');
  return url;
}

/** The secret that signs deliveries, constant for a key. */
function secretFor(api_key: string): string {
  return webhookSecret(sha256(Buffer.from(`listen:${api_key}`)));
}

/** The seq of the newest event, or 0. */
async function newestSeq({ url, api_key }: Profile, agent: string | undefined): Promise<number> {
  const headers = { 'X-API-Key': api_key, ...(agent !== undefined && { 'X-Agent-Handle': agent }) };
  const answer = await fetch(`${url}/api/inbox/recent?limit=1`, { headers, redirect: 'manual' }).catch((error: Error) =>
    leave(1, `${url} cannot be reached: ${error.message}`),
  );
  // The service's own answer, in its declared shape.
  const said = (await answer.json().catch(() => null)) as { seq: number }[] & { message?: string };
  return answer.ok ? (said[0]?.seq ?? 0) : leave(1, said?.message ?? `${url} answered ${answer.status}`);
}

/** Sends one event as the service would, by a connection that obeys no proxy; what came of it is a text. */
function deliver(to: URL, secret: string, event: SentEvent, epoch: number): Promise<string> {
  const at_ms = Date.now();
  const body = JSON.stringify(envelope(event, at_ms, epoch));
  const headers = signHeaders([secret], { id: event.id, event: event.kind, body, at_ms });
  const { promise, resolve } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const call = request(to, { method: 'POST', headers, agent: false, signal }, (answer) => {
    answer.resume();
    const { statusCode = 0 } = answer;
    resolve(
      `${statusCode} after ${Date.now() - at_ms} ms${isAccepted(statusCode) ? '' : ', which the service counts as failed'}`,
    );
  });
  call.on('error', (error) => resolve(signal.aborted ? 'no answer within 10 seconds' : error.message));
  call.end(body);
  return promise;
}

/** An event of the stream as webhooks send it. */
function sentOf(shown: object): SentEvent {
  // The service's own answer, in its declared shape.
  const event = shown as Omit<SentEvent, 'created_at'> & { readonly created_at: string };
  return { ...event, created_at: Date.parse(event.created_at) };
}

/** The requested kinds; null for all. */
function kindsOf(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined || text === '*') return null;
  const kinds = text.split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !isEventKind(kind));
  if (unknown !== undefined) leave(2, `there is no event ${unknown}; see meshwork trigger --list`);
  return new Set(kinds);
}

export const listen = defineCommand({
  meta: { name: 'listen', description: 'hand the events of an agent to a program on this machine, as signed webhooks' },
  args: {
    'forward-to': {
      type: 'string',
      description: 'where they go, such as http://localhost:4000/hooks; else they are only shown',
    },
    events: { type: 'string', description: 'the kinds, with commas between; all unless said' },
    agent: { type: 'string', description: 'the handle of the agent, where the key has several' },
    after: { type: 'string', description: 'the seq to begin after; what comes from now on unless said' },
    ...PROFILE_OPTION,
  },
  run: async ({ args, rawArgs }) => {
    expectOptions(rawArgs, ['forward-to', 'events', 'agent', 'after', 'profile'], 0);
    const to = args['forward-to'] === undefined ? null : receiverAt(args['forward-to']);
    const kinds = kindsOf(args.events);
    const profile = usedProfile(args.profile);
    const { url, api_key } = profile;
    const client = new MeshworkClient({ url, api_key, ...(args.agent !== undefined && { agent: args.agent }) });
    const secret = secretFor(api_key);
    const after = args.after === undefined ? await newestSeq(profile, args.agent) : Number(args.after);
    if (!Number.isSafeInteger(after) || after < 0) leave(2, '--after takes the seq of an event');
    try {
      if (to) console.log(`deliveries are signed with ${secret}`);
      console.log(`listening after event ${after}; Ctrl-C ends it`);
      for await (const { data: event } of client.call('inbox.stream', { after })) {
        // Messages about the stream's position are no events.
        if ('reset' in event || 'oldest_seq' in event || (kinds && !kinds.has(event.kind))) continue;
        const sent = sentOf(event);
        const outcome = to === null ? JSON.stringify(event.data) : await deliver(to, secret, sent, event.epoch ?? 1);
        console.log(`${new Date(sent.created_at).toISOString()}  ${sent.seq}  ${sent.kind}  ${outcome}`);
      }
    } catch (error) {
      if (!(error instanceof MeshworkError)) throw error;
      leave(1, error.message);
    }
  },
});

export const trigger = defineCommand({
  meta: { name: 'trigger', description: 'try a receiver of webhooks with an event of a kind, made up on this machine' },
  args: {
    kind: { type: 'positional', description: 'as match.created; --list shows all', required: false },
    'forward-to': {
      type: 'string',
      description: 'where it goes, such as http://localhost:4000/hooks; else it is printed',
    },
    list: { type: 'boolean', description: 'show the kinds that there are' },
    ...PROFILE_OPTION,
  },
  run: async ({ args, rawArgs }) => {
    expectOptions(
      rawArgs.filter((each) => each !== '--list'),
      ['forward-to', 'profile'],
      1,
    );
    if (args.list === true) {
      console.log(EVENT_KINDS.join('\n'));
      return;
    }
    const { kind = '' } = args;
    if (!isEventKind(kind)) leave(2, `there is no event ${kind}; meshwork trigger --list shows all`);
    const created_at = Date.now();
    const data = sampleData(kind, new Date(created_at).toISOString());
    const event: SentEvent = { id: crypto.randomUUID(), seq: 1, kind, handle: 'ada', data, created_at };
    if (args['forward-to'] === undefined) {
      console.log(JSON.stringify(envelope(event, created_at, 1), null, 2));
      return;
    }
    // Without any profile a receiver can be tried all the same.
    const profile = args.profile === undefined ? chosenProfile(environment) : usedProfile(args.profile);
    const secret = secretFor(typeof profile === 'string' ? '' : profile.api_key);
    console.log(`signed with ${secret}`);
    console.log(await deliver(receiverAt(args['forward-to']), secret, event, 1));
  },
});
