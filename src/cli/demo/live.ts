// The live demo: twenty buyers and twenty sellers on autopilot, whose listings come one after the other. They are matched, bargain, agree and
// pay by the service's own rules; deliveries and releases are what their people would do. A line says what each deal comes to.
import type { Caller, Client } from './client.ts';
import { codeSentTo, eachAtOnce, signUp } from './load.ts';
import { showProgress } from './progress.ts';

/** The traded goods: a label, the offer, the seek, the seller's price and the buyer's maximum, in dollars. */
const TRADES: readonly (readonly [label: string, offer: string, seek: string, asks: number, pays: number])[] = [
  ['seo-audit', 'SEO audits for small shops', 'SEO audit of my shop wanted', 580, 640],
  ['logo-design', 'Logos in three drafts', 'A logo for a bakery wanted', 420, 500],
  ['product-photography', 'Product photography on white', 'Pictures of autumn knitwear wanted', 600, 720],
  ['translation', 'English to Danish translations', 'A manual into Danish wanted', 310, 380],
  ['bookkeeping', 'Monthly bookkeeping for freelancers', 'Somebody for our books wanted', 240, 300],
  ['copywriting', 'Texts for landing pages', 'Text of a landing page wanted', 350, 400],
  ['video-editing', 'Editing of product videos', 'Cut of a two minute video wanted', 450, 560],
  ['illustration', 'Illustrations for children’s books', 'Twelve illustrations wanted', 880, 980],
  ['data-cleaning', 'Cleaning of customer lists', 'Our customer list cleaned', 190, 240],
  ['podcast-editing', 'Editing of podcasts', 'Episodes edited each month', 260, 330],
  ['interior-design', 'Plans of small flats', 'Plan of a flat of 40 m² wanted', 520, 640],
  ['web-accessibility', 'Accessibility audits of web sites', 'Accessibility audit wanted', 700, 820],
  ['tax-advice', 'Tax returns of small firms', 'Tax return of a small firm wanted', 480, 520],
  ['garden-planning', 'Plans of city gardens', 'Plan of a roof garden wanted', 330, 410],
  ['newsletter-writing', 'Newsletters each month', 'Somebody for our newsletter wanted', 290, 340],
  ['bicycle-repair', 'Repairs of cargo bicycles', 'Our cargo bicycles looked after', 150, 210],
  ['voice-over', 'Voices for explainer videos', 'A calm voice for a video wanted', 370, 450],
  ['catering', 'Lunches for meetings', 'Lunch for thirty people wanted', 540, 600],
  ['map-design', 'Printed maps of hiking trails', 'A trail map wanted', 410, 520],
  ['sound-design', 'Sounds for small games', 'Sounds for a puzzle game wanted', 390, 480],
];

const BALANCE_CENTS = 500_000;
/** The step of service time, which runs a minute a second. */
const TICK_MS = 1_000;
const SPEED = 60;
/** The steps between two new pairs. */
const TICKS_BETWEEN = 4;

interface Side {
  readonly handle: string;
  readonly email: string;
  readonly account: Caller;
}

interface Pair {
  readonly seller: Side;
  readonly buyer: Side;
  readonly trade: (typeof TRADES)[number];
  /** The last output about its deal. */
  said: string;
}

class LiveWorld {
  readonly #client: Client;
  readonly #operator: Caller;
  readonly #token: string;
  readonly #say: (line: string) => void;
  #now = '';

  constructor(client: Client, internal_token: string, say: (line: string) => void) {
    this.#client = client;
    this.#token = internal_token;
    this.#operator = { internal_token };
    this.#say = say;
  }

  /** A person signs in; their session ends within a quarter of an hour of service time. */
  async #signIn({ email, handle }: Side): Promise<Caller> {
    await this.#client.expect('POST', '/api/auth/session/start', this.#operator, { email });
    const code = await codeSentTo(this.#client, this.#token, email);
    const { body } = await this.#client.expect('POST', '/api/auth/session/verify', this.#operator, { email, code });
    return { session: String(body.access_token), handle };
  }

  /** An agent on autopilot, whose bounds its person has set. */
  async #side(handle: string, bounds: object, balance_cents: number): Promise<Side> {
    const email = `${handle}@example.org`;
    const [agent] = await signUp(this.#client, this.#token, { email, handles: [handle] });
    const side = { handle, email, account: agent?.account ?? {} };
    await this.#client.expect('POST', '/internal/admin/set-plan', this.#operator, { email, plan: 'pro' });
    const person = await this.#signIn(side);
    await this.#client.expect('PATCH', '/api/agents/bounds', person, { ...bounds, auto_approve_below_cents: 200_000 });
    await this.#client.expect('PATCH', `/api/agents/${handle}`, person, { autopilot: true });
    if (balance_cents > 0) {
      const { body } = await this.#client.expect('POST', '/api/wallet/fund', person, { amount_cents: balance_cents });
      const page = new URL(String(body.checkout_url)).pathname;
      await this.#client.expect('POST', page, person, new URLSearchParams({ decision: 'pay' }));
    }
    return side;
  }

  async pair(trade: Pair['trade']): Promise<Pair> {
    const [label, , , asks, pays] = trade;
    const name = label.replaceAll('-', '_').slice(0, 22);
    const [seller, buyer] = await Promise.all([
      this.#side(`${name}_seller`, { min_charge_cents: Math.round(asks * 85) }, 0),
      this.#side(`${name}_buyer`, { max_pay_cents: pays * 100 }, BALANCE_CENTS),
    ]);
    return { seller, buyer, trade, said: '' };
  }

  /** Both publish, and the buyer is interested in what it finds. */
  async publish({ seller, buyer, trade }: Pair): Promise<void> {
    const [label, offer, seek, asks, pays] = trade;
    const publish = (side: Side, body: object) =>
      this.#client.expect('POST', `/api/agents/${side.handle}/cards`, side.account, { labels: [label], ...body });
    await publish(seller, { card_type: 'selling', direction: 'offer', headline: offer, price_cents: asks * 100 });
    await publish(buyer, { card_type: 'buying', direction: 'seek', headline: seek, budget_cents: pays * 100 });
    const { items } = await this.#client.expect('GET', '/api/matching/feed', buyer.account);
    const match = items.find(({ counterparty_handle }) => counterparty_handle === seller.handle);
    if (!match) return;
    const answer = { match_id: match.match_id, action: 'interested' };
    await this.#client.expect('POST', '/api/matching/feedback', buyer.account, answer);
    this.#say(`${this.#now}  @${buyer.handle} and @${seller.handle} are matched (${label}) and talk`);
  }

  /** Says what has become of a pair's deal; of one that was told, does what its people would do next. */
  async follow(pair: Pair): Promise<void> {
    const { buyer, seller, said } = pair;
    const { items } = await this.#client.expect('GET', '/api/deals', buyer.account);
    const deal = items[0];
    if (!deal) return;
    const escrow = `/api/wallet/escrow/${String(deal.escrow_id)}`;
    pair.said = said === 'funded' ? 'delivered' : said === 'delivered' ? 'released' : String(deal.status);
    if (pair.said === said) return;
    if (pair.said === 'delivered') {
      const delivery = { milestone_index: 0, url: 'https://example.org/delivery', description: 'As agreed.' };
      await this.#client.expect('POST', `${escrow}/deliverable`, seller.account, delivery);
    } else if (pair.said === 'released') {
      await this.#client.expect('POST', `${escrow}/release`, await this.#signIn(buyer), { milestone_index: 0 });
    }
    const dollars = (Number(deal.amount_cents) / 100).toFixed(2);
    this.#say(`${this.#now}  @${buyer.handle} and @${seller.handle}: $${dollars}, ${pair.said}`);
  }

  async tick(): Promise<void> {
    const seconds = (TICK_MS / 1_000) * SPEED;
    const { body } = await this.#client.expect('POST', '/internal/clock', this.#operator, { advance_seconds: seconds });
    this.#now = String(body.now).slice(11, 16);
  }

  /** A single-use sign-in link of a side. */
  async signInLink({ email }: Side): Promise<string> {
    await this.#client.expect('POST', '/api/auth/session/link', this.#operator, { email, next: '/app' });
    for (;;) {
      await this.tick();
      const outbox = `/internal/outbox?to=${encodeURIComponent(email)}`;
      const { items } = await this.#client.expect('GET', outbox, this.#operator);
      const words = items.flatMap(({ text }) => String(text).split(/\s/));
      const link = words.find((word) => word.includes('#token='));
      if (link !== undefined) return link;
    }
  }
}

/** Runs until all deals are completed. */
export async function runLive(client: Client, internal_token: string, say: (line: string) => void): Promise<void> {
  const world = new LiveWorld(client, internal_token, say);
  const pairs: Pair[] = [];
  const progress = showProgress('pairs of agents', TRADES.length);
  await eachAtOnce(TRADES, async (trade) => {
    pairs.push(await world.pair(trade));
    progress.step();
  });
  progress.done();
  const [watched] = pairs;
  if (!watched) throw new Error('there are no trades');
  say(`\nForty agents trade at ${client.url}, a minute a second. No real money moves. Ctrl-C ends it.`);
  say(
    `Watch it as @${watched.buyer.handle}, whose person you become by this link, once:\n  ${await world.signInLink(watched.buyer)}`,
  );
  say('Look into Conversations, Deals and Wallet there; /docs/guide tells what each means.\n');
  for (let tick = 0; pairs.some(({ said }) => said !== 'completed'); tick += 1) {
    const began = performance.now();
    const next = tick % TICKS_BETWEEN === 0 ? pairs[tick / TICKS_BETWEEN] : undefined;
    if (next) await world.publish(next);
    await world.tick();
    const open = pairs.slice(0, Math.floor(tick / TICKS_BETWEEN) + 1);
    const watching = open[tick % open.length];
    if (watching) await world.follow(watching);
    await Bun.sleep(Math.max(0, TICK_MS - (performance.now() - began)));
  }
  say('\nAll deals are completed. What they left can be looked at until Ctrl-C.');
}
