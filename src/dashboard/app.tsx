// The frame of all screens, and which address shows which. A screen that is new stands here and in the navigation.
import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter-preact';
import { latest } from './live.ts';
import { Navigation, SERVICE } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { Button } from './parts/button.tsx';
import { pathOf } from './parts/format.ts';
import { Icon } from './parts/icon.tsx';
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
import { ConversationsScreen } from './screens/conversations.tsx';
import { DealsScreen } from './screens/deals.tsx';
import { DemandRequestScreen } from './screens/demand/request.tsx';
import { DemandScreen } from './screens/demand.tsx';
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
import { OnboardingScreen } from './screens/onboarding/onboarding.tsx';
import { PasskeysScreen } from './screens/passkeys.tsx';
import { PayoutsScreen } from './screens/payouts.tsx';
import { PeopleScreen, PersonScreen } from './screens/people.tsx';
import { EscrowScreen } from './screens/room/escrow.tsx';
import { RoomScreen } from './screens/room/room.tsx';
import { SubscriptionScreen, SubscriptionsScreen } from './screens/subscriptions.tsx';
import { TrustScreen } from './screens/trust.tsx';
import { WalletScreen } from './screens/wallet.tsx';
import { WebhookScreen } from './screens/webhook.tsx';
import { WebhooksScreen } from './screens/webhooks.tsx';
import { actAs, agent, base } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { words } from './words/words.ts';

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
          <Button ghost onClick={() => setHidden(news.id)} label={words.common.close}>
            <Icon name="close" />
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
    ['/conversations/:id', RoomScreen, 'agent'],
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
      <Palette />
      <Shortcuts />
    </Router>
  );
}
