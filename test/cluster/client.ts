// One agent of the fault test: it writes what its seed chooses, each write under an Idempotency-Key, and sends it again to
// another node under the same key until it is answered for good. Its stream tells it what there is to answer.
import type { Member } from '../bench/population.ts';
import type { Random } from '../sim/random.ts';
import type { SseEvent } from '../support/sse.ts';
import type { Ledger, Write } from './ledger.ts';
import { NODES } from './nodes.ts';

/** A node that stands still is given up after so long, and after twice that each time, since on a busy machine whoever gives up too
 * soon only gives the nodes more to do. */
const PATIENCE_MS = 3_000;
const PATIENCE_MAX_MS = 48_000;
/** What only says that it must be tried again; 429 cannot come, since rates are off. */
const PASSING = new Set([502, 503, 504]);
/** So many listings a client writes while it has nothing else to do: each is matched with all others, and what a slow machine has
 * not matched yet would only become more. */
const LISTINGS_MAX = 6;
export const PAY = '/api/wallet/send';
/** Then it waits so long for news. */
const PAUSE_MS = 50;
export const TOPICS = ['bookkeeping', 'payroll', 'copywriting', 'carpentry', 'translation', 'plumbing', 'catering'];
const ANSWERS = ['interested', 'saved', 'not_a_fit'] as const;

/** An agent that pays, by a key of its own. */
export interface Payer extends Member {
  readonly spending_key: string;
}

interface Offer {
  readonly event_id: string;
  readonly match_id: string;
}

/** A request with its Idempotency-Key. */
type Keyed = Pick<Write, 'method' | 'path' | 'body' | 'key'>;

interface Answered {
  readonly status: number;
  readonly reply: string;
  readonly replayed: boolean;
}

export interface ClientOptions {
  readonly n: number;
  readonly member: Payer;
  /** The handle of whom it pays. */
  readonly payee: string;
  readonly url: (n: number) => string;
  readonly random: Random;
  readonly ledger: Ledger;
}

export class Client {
  readonly #options: ClientOptions;
  readonly #conversations: string[] = [];
  readonly #offers: Offer[] = [];
  #keys = 0;
  #names = 0;
  #listings = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Takes in what the stream tells. */
  hear({ event, data }: SseEvent): void {
    if (event === 'match.created') this.#offers.push({ event_id: data.id, match_id: data.data.match_id });
    if (event === 'conversation.started') this.#conversations.push(data.data.conversation_id);
  }

  /** Sends a write until it is answered for good, and keeps how it was. */
  async write(method: string, path: string, body: Record<string, unknown>, node: number): Promise<Write> {
    const { n: client, member, ledger } = this.#options;
    const key = `${member.handle}:${++this.#keys}`;
    const { status, reply, tries } = await this.send({ method, path, body, key }, node);
    if (status >= 500) ledger.problems.push(`${method} ${path} answered ${status}: ${reply}`);
    const write = { key, client, method, path, body, status, reply, tries };
    ledger.add(write);
    return write;
  }

  /** Sends a request until it is answered for good, to one node after the other. */
  async send(request: Keyed, node: number): Promise<Answered & { readonly tries: number }> {
    for (let tries = 1; ; tries += 1) {
      const patience_ms = Math.min(PATIENCE_MAX_MS, PATIENCE_MS * 2 ** (tries - 1));
      const answer = await this.#sendOnce(request, node + tries - 1, patience_ms).catch(() => null);
      const again = answer === null || PASSING.has(answer.status) || answer.reply.includes('"idempotency_in_flight"');
      if (!again) return { ...answer, tries };
      // Out of step with the others that wait, so that they do not meet again.
      await new Promise((resolve) => setTimeout(resolve, 2 + this.#options.random.below(20)));
    }
  }

  async #sendOnce({ method, path, body, key }: Keyed, node: number, patience_ms: number): Promise<Answered> {
    const { key: own, spending_key } = this.#options.member;
    const headers = { 'X-API-Key': path === PAY ? spending_key : own, 'Content-Type': 'application/json' };
    const response = await fetch(`${this.#options.url(node)}${path}`, {
      method,
      headers: { ...headers, 'Idempotency-Key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience_ms),
    });
    const reply = await response.text();
    return { status: response.status, reply, replayed: response.headers.get('idempotent-replayed') === 'true' };
  }

  /** The first thing that an agent does: say what it offers and seeks. */
  async begin(): Promise<void> {
    await this.#intake();
  }

  /** One thing that the seed chooses among what there is to do. */
  async step(): Promise<void> {
    const { random } = this.#options;
    const what = random.below(100);
    if (what < 3) return this.#list();
    if (what < 5) return this.#intake();
    if (what < 15) return this.#pay();
    if (what < 35 && this.#offers.length > 0) return this.#answer();
    const conversation = random.maybe(this.#conversations);
    if (conversation !== null) return this.#say(conversation);
    if (this.#offers.length > 0) return this.#answer();
    if (this.#listings < LISTINGS_MAX) return this.#list();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }

  #node(): number {
    return this.#options.random.below(NODES);
  }

  /** Words that no other write holds. */
  #named(what: string): string {
    return `${what} ${this.#options.member.handle} ${++this.#names}`;
  }

  async #say(conversation: string): Promise<void> {
    await this.write('POST', `/api/messages/${conversation}`, { content: this.#named('message') }, this.#node());
  }

  async #pay(): Promise<void> {
    const { payee, random } = this.#options;
    const body = { to_handle: payee, amount_cents: 1 + random.below(9), note: this.#named('payment') };
    await this.write('POST', PAY, body, this.#node());
  }

  async #list(): Promise<void> {
    const { member, random } = this.#options;
    this.#listings += 1;
    const selling = random.chance(0.5);
    const body = {
      card_type: selling ? 'selling' : 'buying',
      direction: selling ? 'offer' : 'seek',
      headline: this.#named('listing'),
      labels: [random.pick(TOPICS)],
      ...(selling ? { price_cents: 50_000 } : { budget_cents: 80_000 }),
    };
    await this.write('POST', `/api/agents/${member.handle}/cards`, body, this.#node());
  }

  async #intake(): Promise<void> {
    const { random } = this.#options;
    const offer = { headline: this.#named('offer'), labels: [random.pick(TOPICS)], price_cents: 50_000 };
    const seek = { headline: this.#named('seek'), labels: [random.pick(TOPICS)], budget_cents: 80_000 };
    const body = {
      offers: [{ ...offer, card_type: 'selling' }],
      seeks: [{ ...seek, card_type: 'buying' }],
    };
    await this.write('POST', '/api/onboarding/intake', body, this.#node());
  }

  /** Answers a match, by its event or by its own route; now and then with two minds at once, on two nodes. */
  async #answer(): Promise<void> {
    const { random } = this.#options;
    const [offer] = this.#offers.splice(random.below(this.#offers.length), 1);
    if (!offer) return;
    const node = this.#node();
    const first = this.#answerOnce(offer, random.pick(ANSWERS), random.chance(0.7), node);
    const second = random.chance(0.3) ? this.#answerOnce(offer, random.pick(ANSWERS), true, node + 1) : null;
    await Promise.all([first, second]);
  }

  async #answerOnce({ event_id, match_id }: Offer, action: string, by_event: boolean, node: number): Promise<void> {
    const write = by_event
      ? await this.write('POST', `/api/inbox/${event_id}/respond`, { action }, node)
      : await this.write('POST', '/api/matching/feedback', { match_id, action }, node);
    if (write.status !== 200) return;
    const reply = JSON.parse(write.reply);
    const { conversation_id } = by_event ? reply.result : reply;
    if (typeof conversation_id === 'string' && action === 'interested') this.#conversations.push(conversation_id);
  }
}
