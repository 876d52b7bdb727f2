// A double of Stripe that behaves: an HTTP server on loopback, spoken to by Stripe's own SDK. It keeps idempotency keys as Stripe does
// (the same answer again, an error too; another call under the key refused; forgotten after a day), and fails on command: an answer
// that never comes, before or after what was asked for was done; an error that is saved; too many requests.
import { DAY_MS } from '../../../src/domain/time.ts';
import { type Fields, group, readForm } from './form.ts';
import { answer, expand, Refused } from './routes.ts';
import { StripeWorld } from './world.ts';

/** How a call fails. `silent`: no answer ever comes. `done`: although it was done. */
export type StripeFault = 'silent' | 'silent_done' | 'error' | 'error_done' | 'busy';

const SECRET_KEY = 'sk_test_double';
const WEBHOOK_SECRET = 'whsec_double';

interface Saved {
  readonly asked: string;
  readonly status: number;
  readonly body: unknown;
  readonly at: number;
}

interface Planned {
  readonly fault: StripeFault;
  readonly on: RegExp;
}

const FAILED = { error: { type: 'api_error', message: 'An error on our side.' } };

/** One Stripe account and its server. */
export class StripeDouble {
  readonly secret_key = SECRET_KEY;
  readonly webhook_secret = WEBHOOK_SECRET;
  readonly world: StripeWorld;
  /** `METHOD path` of every call that came. */
  readonly calls: string[] = [];
  /** Told `METHOD path` of a call once what it asks for was done, before its answer leaves. */
  onDone: (called: string) => void = () => {};
  readonly #saved = new Map<string, Saved>();
  readonly #planned: Planned[] = [];
  readonly #server: Bun.Server<undefined>;

  constructor(now: () => number) {
    this.world = new StripeWorld(now, WEBHOOK_SECRET);
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      fetch: (request) => this.#take(request),
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** The next call whose `METHOD path` fits fails so. */
  fail(fault: StripeFault, on: RegExp): void {
    this.#planned.push({ fault, on });
  }

  async close(): Promise<void> {
    await this.#server.stop(true);
  }

  async #take(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const sent = request.method === 'GET' ? search.slice(1) : await request.text();
    const called = `${request.method} ${pathname}`;
    this.calls.push(called);
    if (request.headers.get('authorization') !== `Bearer ${SECRET_KEY}`) {
      return Response.json({ error: { type: 'invalid_request_error', code: 'api_key_expired' } }, { status: 401 });
    }
    const index = this.#planned.findIndex(({ on }) => on.test(called));
    const [planned] = index < 0 ? [] : this.#planned.splice(index, 1);
    if (planned?.fault === 'busy') {
      return Response.json({ error: { type: 'rate_limit_error', code: 'rate_limit' } }, { status: 429 });
    }
    const account = request.headers.get('stripe-account');
    const key = request.headers.get('idempotency-key');
    const silent = new Promise<Response>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(new Error('nobody waits any more')));
    });
    if (planned?.fault === 'silent') return silent;
    const asked = { called, account, fields: readForm(sent) };
    const response = this.#once(key === null ? null : `${account}:${key}`, asked, planned?.fault);
    this.onDone(called);
    return planned?.fault === 'silent_done' ? silent : response;
  }

  /** Answers as before where the key is known. */
  #once(key: string | null, asked: Asked, fault: StripeFault | undefined): Response {
    const told = JSON.stringify([asked.called, asked.fields]);
    const known = key === null ? undefined : this.#saved.get(key);
    if (known && this.world.now() - known.at < DAY_MS) {
      if (known.asked === told) {
        return Response.json(known.body, { status: known.status, headers: { 'idempotent-replayed': 'true' } });
      }
      const error = { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' };
      return Response.json({ error }, { status: 400 });
    }
    const made = fault === 'error' ? null : this.#do(asked);
    const { status, body } = made && fault !== 'error_done' ? made : { status: 500, body: FAILED };
    if (key !== null) this.#saved.set(key, { asked: told, status, body, at: this.world.now() });
    return Response.json(body, { status });
  }

  #do({ called, account, fields }: Asked): { status: number; body: unknown } {
    const [method = '', pathname = ''] = called.split(' ');
    const path = pathname.split('/').slice(2);
    const paths = Object.values(group(fields, 'expand')).filter((each) => typeof each === 'string');
    try {
      return { status: 200, body: expand(this.world, answer(this.world, { method, path, fields, account }), paths) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { type, code, status } = error;
      return { status, body: { error: { type, code, message: code } } };
    }
  }
}

interface Asked {
  readonly called: string;
  readonly account: string | null;
  readonly fields: Fields;
}
