// Events of the person's agents, newest first, filtered by URL: all, the acting agent's inbox, unread ones, and approvals that
// programs requested.
import type { JSX } from 'preact';
import { Link, Redirect, useSearchParams } from 'wouter-preact';
import { type EventKind, noticeOf } from '../../domain/inbox/event.ts';
import { Button } from '../parts/button.tsx';
import { pathOf, zone } from '../parts/format.ts';
import { Badge, More, Segments, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, useDeed, usePages } from '../resource.ts';
import { ask, type Item } from '../server.ts';
import { actAs, agent } from '../session.ts';
import { touchedByAct } from '../touched.ts';
import { words } from '../words/words.ts';
import { Approvals } from './approvals.tsx';

const FILTERS = ['all', 'inbox', 'notifications', 'approvals'] as const;
type Filter = (typeof FILTERS)[number];

const SHOWN = 50;

type News = Item<'notification.list'>;

/** Whether it is pending, or its answer. */
function AnswerState({ of: { awaits_answer, respond_by, answered } }: { of: News }): JSX.Element | null {
  const { activity } = words;
  if (answered !== null) {
    return (
      <Badge tone="good">
        {activity.answered}: {activity.answers[answered] ?? answered.replaceAll('_', ' ')}
      </Badge>
    );
  }
  if (!awaits_answer) return null;
  return (
    <Badge tone="wait">
      {activity.waits}
      {respond_by !== null && (
        <>
          {' '}
          <Time at={respond_by} />
        </>
      )}
    </Badge>
  );
}

/** What else an event says that opens an escrow. */
const PART_OF_OPENING: ReadonlySet<string> = new Set(['deal.agreed', 'payment.succeeded']);

/** Whether an event tells of the same payment into escrow as the one that opens it. */
function isPartOf(opening: News, { kind, handle, created_at, data }: News): boolean {
  if (!PART_OF_OPENING.has(kind) || handle !== opening.handle || created_at !== opening.created_at) return false;
  return data['escrow_id'] === opening.data['escrow_id'] || data['deal_id'] === opening.data['deal_id'];
}

interface Told {
  readonly of: News;
  readonly unread: readonly string[];
}

/** The events, those of one payment into escrow as one. */
function oneEach(items: readonly News[]): Told[] {
  const openings = items.filter(({ kind }) => kind === 'escrow.opened');
  const told = Map.groupBy(items, (of) => openings.find((opening) => isPartOf(opening, of)) ?? of);
  return [...told].map(([of, all]) => ({ of, unread: all.flatMap(({ id, read }) => (read ? [] : id)) }));
}

function Row({ told: { of, unread } }: { told: Told }): JSX.Element {
  const mark = useDeed<readonly string[], void>(
    async (ids, { agent, key }) => {
      for (const id of ids) await ask('notification.read', { id }, { agent, key: `${key}:${id}` });
    },
    { touches: touchedByAct('notification.read') },
  );
  const { kind, handle, data, url, created_at } = of;
  const { title, body } = noticeOf(kind as EventKind, handle, data, words.events, zone);
  const path = pathOf(url);
  const open = (): void => {
    actAs(handle);
    if (unread.length > 0) void mark.run(unread);
  };
  return (
    <li class={unread.length === 0 ? undefined : 'fresh'}>
      <p class="marks">
        {path === '/' || path === '/inbox' ? (
          <strong>{title}</strong>
        ) : (
          <Link href={path} onClick={open}>
            {title}
          </Link>
        )}
        <AnswerState of={of} />
      </p>
      <p class="quiet">
        @{handle} · <Time at={created_at} />
      </p>
      {body !== '' && (
        <p class="said-plain" dir="auto">
          {body}
        </p>
      )}
    </li>
  );
}

function News({ filter }: { filter: Exclude<Filter, 'approvals'> }): JSX.Element {
  const { activity } = words;
  const only = {
    all: {},
    inbox: agent.value === undefined ? {} : { agent: agent.value },
    notifications: { unread: true },
  }[filter];
  const pages = usePages('notification.list', { limit: SHOWN, ...only }, ({ id }) => id);
  const markAll = useAct('notification.read_all');
  return (
    <Loaded of={pages}>
      {(of) =>
        of.items.length === 0 && of.more === null ? (
          <Empty text={activity.none[filter]} href="/matches" action={words.nav.matches} />
        ) : (
          <section class="card" aria-label={activity.shown[filter]}>
            <div class="buttons">
              <Button busy={markAll.busy} onClick={() => markAll.run({})}>
                {activity.markAll}
              </Button>
            </div>
            {markAll.error && <Failure error={markAll.error} />}
            <ul class="news">
              {oneEach(of.items).map((each) => (
                <Row key={each.of.id} told={each} />
              ))}
            </ul>
            <More of={of} />
          </section>
        )
      }
    </Loaded>
  );
}

/** The list, filtered as in the URL. */
export function ActivityScreen(): JSX.Element {
  const { activity } = words;
  const [asked, setAsked] = useSearchParams();
  const filter = FILTERS.find((each) => each === asked.get('show')) ?? 'all';
  return (
    <>
      <h1 tabIndex={-1}>{activity.title}</h1>
      <div class="lead">
        <Segments
          label={activity.show}
          value={filter}
          options={FILTERS.map((each) => [each, activity.shown[each]] as const)}
          onChange={(show) => setAsked({ show }, { replace: true })}
        />
        <Link href="/account/notifications">{activity.settings}</Link>
      </div>
      {filter === 'approvals' ? <Approvals key={agent.value} /> : <News key={filter} filter={filter} />}
    </>
  );
}

/** A former URL of a filter; letters and notices link to it. */
const earlier = (show: Filter) => (): JSX.Element => <Redirect to={`/activity?show=${show}`} replace />;

export const InboxAddress = earlier('inbox');
export const NotificationsAddress = earlier('notifications');
export const ApprovalsAddress = earlier('approvals');
