// The start page: what waits for an answer, the next step of onboarding, and the figures of the acting agent.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { EventCard } from '../parts/event-card.tsx';
import { count, money, pathOf } from '../parts/format.ts';
import { Facts, Section, Time } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { usePages, useRead } from '../resource.ts';
import { actAs, agent } from '../session.ts';
import { words } from '../words/words.ts';
import { ByKey } from './agent/limits.tsx';

const RECENT = 50;
const NEWS = 8;

/** What is left to do before the agent is matched with others. */
function NextStep(): JSX.Element | null {
  const status = useRead('onboarding.status', {});
  const { home } = words;
  if (status.state !== 'ready' || status.value.activated) return null;
  const { steps, next_step } = status.value;
  const next = steps.find(({ id }) => id === next_step);
  return (
    <Section title={home.onboarding}>
      {next && (
        <p>
          <Link class="button main" href={`/onboarding#${next.id}`}>
            {next.label}
          </Link>
        </p>
      )}
      <ol class="steps">
        {steps.map(({ id, label, done }) => (
          <li key={id} class={done ? 'done' : undefined}>
            {label} {done && <span class="quiet">✓</span>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The events of the acting agent that somebody has to answer. */
function Waiting(): JSX.Element {
  const recent = useRead('inbox.recent', agent.value === undefined ? null : { limit: RECENT });
  const { home } = words;
  return (
    <Section title={home.waiting}>
      <Loaded of={recent}>
        {(events) => {
          const open = events.filter(({ actions }) => actions.length > 0);
          return open.length === 0 ? (
            <Empty text={home.waitingNone} />
          ) : (
            open.map((event) => <EventCard key={event.id} event={event} />)
          );
        }}
      </Loaded>
    </Section>
  );
}

function Figures(): JSX.Element {
  const wallet = useRead('wallet.read', {});
  const unread = useRead('notification.unread', {});
  const { home, common } = words;
  const shown = (value: string | null): string => value ?? common.loading;
  return (
    <Section title={home.figures}>
      <Facts
        of={[
          [
            home.balance,
            <Link href="/wallet">{shown(wallet.state === 'ready' ? money(wallet.value.balance_cents) : null)}</Link>,
          ],
          [
            home.unread,
            <Link href="/notifications">{shown(unread.state === 'ready' ? count(unread.value.unread) : null)}</Link>,
          ],
        ]}
      />
    </Section>
  );
}

function Recent(): JSX.Element {
  const notices = usePages('notification.list', { limit: NEWS });
  const { home } = words;
  return (
    <Section title={home.recent}>
      <Loaded of={notices}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty text={home.recentNone} href="/listings" action={words.nav.listings} />
          ) : (
            <ul class="news">
              {items.map(({ id, handle, title, body, url, created_at, read }) => (
                <li key={id} class={read ? undefined : 'fresh'}>
                  <Link href={pathOf(url)} onClick={() => actAs(handle)}>
                    {title}
                  </Link>{' '}
                  <Time at={created_at} />
                  {body !== '' && <p class="quiet">{body}</p>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Bounds of the acting agent that a program set. */
function Bounds({ handle }: { handle: string }): JSX.Element | null {
  const own = useRead('agent.read', { handle });
  return own.state === 'ready' && 'bounds' in own.value ? <ByKey own={own.value} /> : null;
}

export function HomeScreen(): JSX.Element {
  const { home } = words;
  return (
    <>
      <h1 tabIndex={-1}>{home.title}</h1>
      <NextStep />
      {agent.value !== undefined && <Bounds handle={agent.value} />}
      {agent.value === undefined ? (
        <Section title={home.createAgent}>
          <Empty text={home.createAgentWhy} href="/onboarding#handle" action={home.createAgent} />
        </Section>
      ) : (
        <>
          <Waiting />
          <Figures />
          <Recent />
        </>
      )}
    </>
  );
}
