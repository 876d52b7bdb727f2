// The app's frame and routes. A new screen is added here and in the navigation.
import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter-preact';
import { type EventKind, noticeOf } from '../domain/inbox/event.ts';
import { arrived, later, type ScreenProps } from './later.tsx';
import { latest } from './live.ts';
import { Navigation, SERVICE } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { Button } from './parts/button.tsx';
import { pathOf, zone } from './parts/format.ts';
import { Icon } from './parts/icon.tsx';
import { Empty, Skeleton } from './parts/states.tsx';
import { ToldAnswers } from './parts/told-answers.tsx';
import { useRead } from './resource.ts';
import { ActivityScreen, ApprovalsAddress, InboxAddress, NotificationsAddress } from './screens/activity.tsx';
import { AgentsScreen, NewAgentScreen } from './screens/agents.tsx';
import { ConversationsScreen } from './screens/conversations.tsx';
import { DealsScreen } from './screens/deals.tsx';
import { EscrowsScreen } from './screens/escrows.tsx';
import { HomeScreen } from './screens/home.tsx';
import { ListingsScreen } from './screens/listings.tsx';
import { MatchesScreen, MatchScreen } from './screens/matches.tsx';
import { EscrowScreen } from './screens/room/escrow.tsx';
import { RoomScreen } from './screens/room/room.tsx';
import { WalletScreen } from './screens/wallet.tsx';
import { actAs, agent, base } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { words } from './words/words.ts';

// Announces the latest event in a polite live region, visible and to screen readers.

const SHOWN_MS = 12_000;

/** The latest event, for some seconds; none that concerns the current page, which shows it itself. */
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
            {noticeOf(news.kind as EventKind, news.handle, news.data, words.events, zone).title}
          </Link>
          <Button ghost onClick={() => setHidden(news.id)} label={words.common.close}>
            <Icon name="close" />
          </Button>
        </p>
      )}
    </div>
  );
}

/** Sends administrators without an agent of their own to the administration. */
function StartScreen(): JSX.Element {
  const own = useRead('account.read', {});
  const agents = useRead('agent.list', {});
  if (own.state === 'ready' && own.value.admin) {
    if (agents.state === 'loading') return <Skeleton />;
    if (agents.state === 'ready' && agents.value.length === 0) return <Redirect to="/admin" replace />;
  }
  return <HomeScreen />;
}

/** Routes; `agent` screens require that the person has an agent. */
const SCREENS: readonly (readonly [path: string, screen: FunctionComponent<ScreenProps>, whose: 'person' | 'agent'])[] =
  [
    ['/', StartScreen, 'person'],
    ['/onboarding', later(() => import('./screens/onboarding/onboarding.tsx'), 'OnboardingScreen'), 'person'],
    ['/agents', AgentsScreen, 'person'],
    ['/agents/new', NewAgentScreen, 'person'],
    ['/agents/:handle', later(() => import('./screens/agent/agent.tsx'), 'AgentScreen'), 'person'],
    ['/activity', ActivityScreen, 'person'],
    ['/inbox', InboxAddress, 'person'],
    ['/approvals', ApprovalsAddress, 'person'],
    ['/people', later(() => import('./screens/people.tsx'), 'PeopleScreen'), 'person'],
    ['/people/:handle', later(() => import('./screens/people.tsx'), 'PersonScreen'), 'person'],
    ['/market', later(() => import('./screens/market.tsx'), 'MarketScreen'), 'person'],
    ['/market/selling', later(() => import('./screens/market/selling.tsx'), 'SellingScreen'), 'agent'],
    ['/market/selling/new', later(() => import('./screens/market/selling.tsx'), 'NewServiceScreen'), 'agent'],
    ['/market/earnings', later(() => import('./screens/market/earnings.tsx'), 'EarningsScreen'), 'agent'],
    ['/market/:handle/:id', later(() => import('./screens/market/selling.tsx'), 'ServiceScreen'), 'person'],
    ['/demand', later(() => import('./screens/demand.tsx'), 'DemandScreen'), 'agent'],
    ['/demand/:id', later(() => import('./screens/demand/request.tsx'), 'DemandRequestScreen'), 'agent'],
    ['/calls', later(() => import('./screens/calls.tsx'), 'CallsScreen'), 'agent'],
    ['/listings', ListingsScreen, 'agent'],
    ['/listings/new', later(() => import('./screens/listing/listing.tsx'), 'NewListingScreen'), 'agent'],
    ['/listings/:id', later(() => import('./screens/listing/listing.tsx'), 'ListingScreen'), 'agent'],
    ['/knowledge', later(() => import('./screens/knowledge.tsx'), 'KnowledgeScreen'), 'agent'],
    ['/analytics', later(() => import('./screens/analytics.tsx'), 'AnalyticsScreen'), 'agent'],
    ['/matches', MatchesScreen, 'agent'],
    ['/matches/:id', MatchScreen, 'agent'],
    ['/conversations', ConversationsScreen, 'agent'],
    ['/conversations/:id', RoomScreen, 'agent'],
    ['/wallet', WalletScreen, 'agent'],
    ['/deals', DealsScreen, 'agent'],
    ['/escrows', EscrowsScreen, 'agent'],
    ['/escrows/:id', EscrowScreen, 'agent'],
    ['/subscriptions', later(() => import('./screens/subscriptions.tsx'), 'SubscriptionsScreen'), 'agent'],
    ['/subscriptions/:id', later(() => import('./screens/subscriptions.tsx'), 'SubscriptionScreen'), 'agent'],
    ['/payouts', later(() => import('./screens/payouts.tsx'), 'PayoutsScreen'), 'agent'],
    ['/billing', later(() => import('./screens/billing.tsx'), 'BillingScreen'), 'person'],
    ['/trust', later(() => import('./screens/trust.tsx'), 'TrustScreen'), 'agent'],
    ['/webhooks', later(() => import('./screens/webhooks.tsx'), 'WebhooksScreen'), 'agent'],
    ['/webhooks/:id', later(() => import('./screens/webhook.tsx'), 'WebhookScreen'), 'agent'],
    ['/keys', later(() => import('./screens/keys.tsx'), 'KeysScreen'), 'person'],
    ['/passkeys', later(() => import('./screens/passkeys.tsx'), 'PasskeysScreen'), 'person'],
    ['/invitations', later(() => import('./screens/invitations.tsx'), 'InvitationsScreen'), 'person'],
    ['/account', later(() => import('./screens/account/account.tsx'), 'AccountScreen'), 'person'],
    ['/admin', later(() => import('./screens/admin/admin.tsx'), 'AdminScreen'), 'person'],
    ['/notifications', NotificationsAddress, 'person'],
    [
      '/account/notifications',
      later(() => import('./screens/account/notifications.tsx'), 'NotificationsScreen'),
      'person',
    ],
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

/** Moves focus to the heading after navigation, so that screen readers announce the page, and sets the title. */
function Place({ children }: { children: ComponentChildren }): JSX.Element {
  const [path] = useLocation();
  const place = useRef<HTMLElement>(null);
  const first = useRef(path);
  const has_moved = useRef(false);
  has_moved.current ||= path !== first.current;
  useEffect(() => {
    const heading = place.current?.querySelector('h1');
    document.title = heading?.textContent ? `${heading.textContent} · ${SERVICE}` : SERVICE;
    if (!has_moved.current) return;
    heading?.focus();
    scrollTo(0, 0);
  }, [path, arrived.value]);
  return (
    <main id="place" ref={place}>
      {children}
    </main>
  );
}

/** Replaces a stored agent that is gone or belongs to another account. */
function useKnownAgent(): void {
  const agents = useRead('agent.list', {});
  const handles = agents.state === 'ready' ? agents.value.map(({ handle }) => handle) : null;
  const known = handles === null || (agent.value !== undefined && handles.includes(agent.value));
  useEffect(() => {
    if (!known) actAs(handles?.[0]);
  });
}

/** The app for a signed-in person. */
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
      <ToldAnswers />
      <Announcer />
      <Palette />
      <Shortcuts />
    </Router>
  );
}
