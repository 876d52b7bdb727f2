// The frame of all screens, and which address shows which. A screen that is new stands here and in the navigation.
import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter-preact';
import { latest } from './live.ts';
import { Button } from './parts/button.tsx';
import { count, pathOf } from './parts/format.ts';
import { Empty, Skeleton } from './parts/states.tsx';
import { useRead } from './resource.ts';
import { AccountScreen } from './screens/account/account.tsx';
import { AdminScreen } from './screens/admin/admin.tsx';
import { AgentScreen } from './screens/agent/agent.tsx';
import { AgentsScreen, NewAgentScreen } from './screens/agents.tsx';
import { AnalyticsScreen } from './screens/analytics.tsx';
import { ApprovalsScreen } from './screens/approvals.tsx';
import { BillingScreen } from './screens/billing.tsx';
import { CallsScreen } from './screens/calls.tsx';
import { ConversationScreen, ConversationsScreen } from './screens/conversations.tsx';
import { DealsScreen } from './screens/deals.tsx';
import { DemandRequestScreen } from './screens/demand/request.tsx';
import { DemandScreen } from './screens/demand.tsx';
import { EscrowScreen } from './screens/escrow/escrow.tsx';
import { EscrowsScreen } from './screens/escrows.tsx';
import { HomeScreen } from './screens/home.tsx';
import { InboxScreen } from './screens/inbox.tsx';
import { InvitationsScreen } from './screens/invitations.tsx';
import { KeysScreen } from './screens/keys.tsx';
import { KnowledgeScreen } from './screens/knowledge.tsx';
import { ListingScreen, NewListingScreen } from './screens/listing/listing.tsx';
import { ListingsScreen } from './screens/listings.tsx';
import { EarningsScreen } from './screens/market/earnings.tsx';
import { NewServiceScreen, SellingScreen, ServiceScreen } from './screens/market/selling.tsx';
import { MarketScreen } from './screens/market.tsx';
import { MatchesScreen, MatchScreen } from './screens/matches.tsx';
import { NotificationsScreen } from './screens/notifications.tsx';
import { OnboardingScreen } from './screens/onboarding.tsx';
import { PasskeysScreen } from './screens/passkeys.tsx';
import { PayoutsScreen } from './screens/payouts.tsx';
import { PeopleScreen, PersonScreen } from './screens/people.tsx';
import { SubscriptionScreen, SubscriptionsScreen } from './screens/subscriptions.tsx';
import { TrustScreen } from './screens/trust.tsx';
import { WalletScreen } from './screens/wallet.tsx';
import { WebhookScreen } from './screens/webhook.tsx';
import { WebhooksScreen } from './screens/webhooks.tsx';
import { account, actAs, agent, base, signOut } from './session.ts';
import { words } from './words/words.ts';

// The way around: beside the page on wide screens, at its foot on phones, where the rest is behind one button.

type Target = keyof typeof words.nav & string;

const FIRST: readonly (readonly [path: string, name: Target])[] = [
  ['/', 'home'],
  ['/inbox', 'inbox'],
  ['/wallet', 'wallet'],
];
const REST: readonly (readonly [path: string, name: Target])[] = [
  ['/approvals', 'approvals'],
  ['/market', 'market'],
  ['/demand', 'demand'],
  ['/calls', 'calls'],
  ['/listings', 'listings'],
  ['/knowledge', 'knowledge'],
  ['/matches', 'matches'],
  ['/conversations', 'conversations'],
  ['/analytics', 'analytics'],
  ['/deals', 'deals'],
  ['/escrows', 'escrows'],
  ['/subscriptions', 'subscriptions'],
  ['/payouts', 'payouts'],
  ['/people', 'people'],
  ['/agents', 'agents'],
  ['/trust', 'trust'],
  ['/webhooks', 'webhooks'],
  ['/keys', 'keys'],
  ['/passkeys', 'passkeys'],
  ['/notifications', 'notifications'],
  ['/billing', 'billing'],
  ['/account', 'account'],
];
/** What the service is called here. */
const SERVICE = document.querySelector('meta[name="meshwork-name"]')?.getAttribute('content') ?? words.common.app;
/** Proposals and actions are counted up to here, each. */
const COUNTED = 50;

const OF_INVITERS: readonly (readonly [path: string, name: Target])[] = [['/invitations', 'invitations']];
const OF_ADMINISTRATORS: readonly (readonly [path: string, name: Target])[] = [['/admin', 'admin']];

/** What waits behind an entry: how much, and in words. */
interface Waiting {
  readonly count: number;
  readonly text: string;
}

function Entry({ path, name, waiting }: { path: string; name: Target; waiting: Waiting | null }): JSX.Element {
  const [here] = useLocation();
  const current = path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`);
  return (
    <li>
      <Link href={path} aria-current={current ? 'page' : undefined}>
        {String(words.nav[name])}
        {waiting !== null && waiting.count > 0 && (
          <span class="count" title={waiting.text}>
            {count(waiting.count)}
          </span>
        )}
      </Link>
    </li>
  );
}

function Acting(): JSX.Element {
  const agents = useRead('agent.list', {});
  const known = agents.state === 'ready' ? agents.value : [];
  if (known.length < 2) {
    return <p class="acting">{known[0] ? `@${known[0].handle}` : words.nav.noAgent}</p>;
  }
  return (
    <label class="acting">
      <span>{words.nav.actingAs}</span>
      <select value={agent.value} onChange={(event) => actAs(event.currentTarget.value)}>
        {known.map(({ handle }) => (
          <option key={handle} value={handle}>
            @{handle}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What waits behind which entry. */
function useWaiting(): (name: Target) => Waiting | null {
  const unread = useRead('notification.unread', {});
  const proposals = useRead('proposal.list', agent.value === undefined ? null : { waiting: true, limit: COUNTED });
  const actions = useRead('action.list', agent.value === undefined ? null : { waiting: true, limit: COUNTED });
  const news = unread.state === 'ready' ? unread.value.unread : 0;
  const asked = [proposals, actions].reduce((sum, of) => sum + (of.state === 'ready' ? of.value.length : 0), 0);
  return (name) => {
    if (name === 'notifications') return { count: news, text: words.nav.unread(count(news)) };
    if (name === 'approvals') return { count: asked, text: words.nav.waiting(count(asked)) };
    return null;
  };
}

/** The head of the frame: the brand, who acts, where to go, who is signed in. */
function Navigation(): JSX.Element {
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const own = useRead('account.read', {});
  const { admin, may_invite } = own.state === 'ready' ? own.value : { admin: false, may_invite: false };
  const rest = [...REST, ...(may_invite ? OF_INVITERS : []), ...(admin ? OF_ADMINISTRATORS : [])];
  const waiting = useWaiting();
  useEffect(() => setOpen(false), [path]);
  const entry = ([to, name]: readonly [string, Target]): JSX.Element => (
    <Entry key={to} path={to} name={name} waiting={waiting(name)} />
  );
  return (
    <header class="frame">
      <Link class="brand" href="/">
        {SERVICE}
      </Link>
      <Acting />
      <nav aria-label={words.nav.main}>
        <ul class="first">{FIRST.map(entry)}</ul>
        <Button label={words.nav.more} onClick={() => setOpen(!open)}>
          {words.nav.more}
        </Button>
        <ul class={open ? 'rest open' : 'rest'}>{rest.map(entry)}</ul>
      </nav>
      <div class="who">
        <span class="quiet">{account.value?.email}</span>
        <Button onClick={signOut}>{words.nav.signOut}</Button>
      </div>
    </header>
  );
}

// Says politely what has just come, to those who see the page and those who hear it.

const SHOWN_MS = 12_000;

/** The last news, for some seconds; none of a page that one is at, which shows it itself. */
function Announcer(): JSX.Element {
  const news = latest.value;
  const [hidden, setHidden] = useState<string | null>(null);
  useEffect(() => {
    if (!news) return undefined;
    const ends = setTimeout(() => setHidden(news.id), SHOWN_MS);
    return () => clearTimeout(ends);
  }, [news]);
  const [here] = useLocation();
  const shown = news !== null && news.id !== hidden && pathOf(news.url) !== here;
  return (
    <div class="announcer" role="status" aria-live="polite">
      {shown && (
        <p>
          <Link href={pathOf(news.url)} onClick={() => actAs(news.handle)}>
            {news.title}
          </Link>
          <Button onClick={() => setHidden(news.id)} label={words.common.close}>
            ×
          </Button>
        </p>
      )}
    </div>
  );
}

/** What a screen is given: the parts of its address. */
interface ScreenProps {
  params: Readonly<Record<string, string | undefined>>;
}

/** Whoever administers and has no agent of their own comes for the administration. */
function StartScreen(): JSX.Element {
  const own = useRead('account.read', {});
  const agents = useRead('agent.list', {});
  if (own.state === 'ready' && own.value.admin) {
    if (agents.state === 'loading') return <Skeleton />;
    if (agents.state === 'ready' && agents.value.length === 0) return <Redirect to="/admin" replace />;
  }
  return <HomeScreen />;
}

/** Screens of an agent are shown once the person has one. */
const SCREENS: readonly (readonly [path: string, screen: FunctionComponent<ScreenProps>, whose: 'person' | 'agent'])[] =
  [
    ['/', StartScreen, 'person'],
    ['/onboarding', OnboardingScreen, 'person'],
    ['/agents', AgentsScreen, 'person'],
    ['/agents/new', NewAgentScreen, 'person'],
    ['/agents/:handle', AgentScreen, 'person'],
    ['/inbox', InboxScreen, 'agent'],
    ['/approvals', ApprovalsScreen, 'agent'],
    ['/people', PeopleScreen, 'person'],
    ['/people/:handle', PersonScreen, 'person'],
    ['/market', MarketScreen, 'person'],
    ['/market/selling', SellingScreen, 'agent'],
    ['/market/selling/new', NewServiceScreen, 'agent'],
    ['/market/earnings', EarningsScreen, 'agent'],
    ['/market/:handle/:id', ServiceScreen, 'person'],
    ['/demand', DemandScreen, 'agent'],
    ['/demand/:id', DemandRequestScreen, 'agent'],
    ['/calls', CallsScreen, 'agent'],
    ['/listings', ListingsScreen, 'agent'],
    ['/listings/new', NewListingScreen, 'agent'],
    ['/listings/:id', ListingScreen, 'agent'],
    ['/knowledge', KnowledgeScreen, 'agent'],
    ['/analytics', AnalyticsScreen, 'agent'],
    ['/matches', MatchesScreen, 'agent'],
    ['/matches/:id', MatchScreen, 'agent'],
    ['/conversations', ConversationsScreen, 'agent'],
    ['/conversations/:id', ConversationScreen, 'agent'],
    ['/wallet', WalletScreen, 'agent'],
    ['/deals', DealsScreen, 'agent'],
    ['/escrows', EscrowsScreen, 'agent'],
    ['/escrows/:id', EscrowScreen, 'agent'],
    ['/subscriptions', SubscriptionsScreen, 'agent'],
    ['/subscriptions/:id', SubscriptionScreen, 'agent'],
    ['/payouts', PayoutsScreen, 'agent'],
    ['/billing', BillingScreen, 'person'],
    ['/trust', TrustScreen, 'agent'],
    ['/webhooks', WebhooksScreen, 'agent'],
    ['/webhooks/:id', WebhookScreen, 'agent'],
    ['/keys', KeysScreen, 'person'],
    ['/passkeys', PasskeysScreen, 'person'],
    ['/invitations', InvitationsScreen, 'person'],
    ['/account', AccountScreen, 'person'],
    ['/admin', AdminScreen, 'person'],
    ['/notifications', NotificationsScreen, 'person'],
  ];

function NoAgent(): JSX.Element {
  const { home } = words;
  return (
    <>
      <h1 tabIndex={-1}>{home.createAgent}</h1>
      <Empty text={home.createAgentWhy} href="/onboarding#handle" action={home.createAgent} />
    </>
  );
}

function NotFound(): JSX.Element {
  return (
    <>
      <h1 tabIndex={-1}>{words.failed.absent}</h1>
      <Empty text={words.failed.absent} href="/" action={words.failed.absentNext} />
    </>
  );
}

/** Each address begins at its heading: those who hear the page are told where they are, and the title says it too. */
function Place({ children }: { children: ComponentChildren }): JSX.Element {
  const [path] = useLocation();
  const place = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    const heading = place.current?.querySelector('h1');
    document.title = heading?.textContent ? `${heading.textContent} · ${SERVICE}` : SERVICE;
    if (!first.current) heading?.focus();
    first.current = false;
    scrollTo(0, 0);
  }, [path]);
  return (
    <main id="place" ref={place}>
      {children}
    </main>
  );
}

/** The agent of the last visit may be gone, or another's. */
function useKnownAgent(): void {
  const agents = useRead('agent.list', {});
  const handles = agents.state === 'ready' ? agents.value.map(({ handle }) => handle) : null;
  const known = handles === null || (agent.value !== undefined && handles.includes(agent.value));
  useEffect(() => {
    if (!known) actAs(handles?.[0]);
  });
}

/** The whole app, for whoever is signed in. */
export function App(): JSX.Element {
  useKnownAgent();
  return (
    <Router base={base.replace(/\/$/, '')}>
      <a class="skip" href="#place">
        {words.common.skip}
      </a>
      <Navigation />
      <Place>
        <Switch>
          {SCREENS.map(([path, Screen, whose]) => (
            <Route key={path} path={path}>
              {(params) => (whose === 'agent' && agent.value === undefined ? <NoAgent /> : <Screen params={params} />)}
            </Route>
          ))}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Place>
      <Announcer />
    </Router>
  );
}
