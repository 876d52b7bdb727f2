// An event of an inbox, and the answers that it takes. The first answer stands, whichever way it came; who is too late is told.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { isEventKind, noticeOf, specOf } from '../../domain/inbox/event.ts';
import type { Notice } from '../../domain/inbox/events/spec.ts';
import { useAct } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Choice, Field } from './field.tsx';
import { Agent, Badge, Time } from './show.tsx';
import { Failure } from './states.tsx';

export type InboxEvent = Output<'inbox.recent'>[number];
type Action = InboxEvent['actions'][number];

const HANDLES = ['counterparty_handle', 'sender', 'from_handle'];

/** Whom it is about, where it says so. */
function otherOf({ data }: InboxEvent): string | null {
  const found = HANDLES.map((name) => data[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : null;
}

/** What it says, in the words of its notice, and the page where one looks at it; null of a kind that this app does not know. */
function noticeOfEvent({ kind, handle, data }: InboxEvent): Notice | null {
  return isEventKind(kind) ? noticeOf(kind, handle, data) : null;
}

/** The answers that a card takes, with no more than a reason and a note. Whatever else is asked has its own page, which shows the amount,
 * the other side and what was said, and takes all that the answer needs. */
const ON_CARD: Readonly<Record<string, readonly string[]>> = {
  'match.created': ['interested', 'not_a_fit', 'saved'],
  'demand.posted': ['pass'],
};

/** Where an answer is given; null where that is the card. */
function placeOf(event: InboxEvent, { action }: Action): string | null {
  const { kind, data } = event;
  if (ON_CARD[kind]?.includes(action)) return null;
  const decided = typeof data['action_id'] === 'string' || typeof data['proposal_id'] === 'string';
  return decided ? '/approvals' : (noticeOfEvent(event)?.path ?? '/inbox');
}

/** Asks for what an answer takes beside its name, then gives it. */
function Answer({ event, actions }: { event: InboxEvent; actions: readonly Action[] }): JSX.Element {
  const respond = useAct('inbox.respond');
  const [chosen, setChosen] = useState<Action | null>(null);
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const { inbox, common } = words;
  const give = (action: Action): Promise<unknown> =>
    respond.run({
      event_id: event.id,
      action: action.action,
      ...(reason !== '' && { reason }),
      ...(note.trim() !== '' && { note: note.trim() }),
    });
  const press = (action: Action): void => {
    if (action.reasons === undefined) void give(action);
    else {
      setReason(action.reasons[0] ?? '');
      setChosen(action);
    }
  };
  return (
    <div class="answers">
      {chosen?.reasons && (
        <>
          <Choice
            label={inbox.reason}
            value={reason}
            options={chosen.reasons.map((each) => [each, each.replaceAll('_', ' ')])}
            onChange={setReason}
          />
          <Field label={inbox.note} value={note} onInput={setNote} rows={2} maxLength={500} />
          <Button main busy={respond.busy} onClick={() => give(chosen)}>
            {chosen.label}
          </Button>
          <Button onClick={() => setChosen(null)}>{common.cancel}</Button>
        </>
      )}
      {!chosen &&
        actions.map((action, at) => {
          const place = placeOf(event, action);
          const there = place === null ? [] : actions.filter((each) => placeOf(event, each) === place);
          // One way there is enough.
          if (there.indexOf(action) > 0) return null;
          return place !== null ? (
            <Link key={action.action} class="button main" href={place}>
              {there.length > 1 ? inbox.decide : action.label}
            </Link>
          ) : (
            <Button key={action.action} main={at === 0} busy={respond.busy} onClick={() => press(action)}>
              {action.label}
            </Button>
          );
        })}
      {respond.error && <Failure error={respond.error} />}
    </div>
  );
}

export function EventCard({ event }: { event: InboxEvent }): JSX.Element {
  const { inbox, common } = words;
  const other = otherOf(event);
  const notice = noticeOfEvent(event);
  // One way is enough: where it is decided on, all of it stands.
  const decided = event.answered === null && event.actions.some((action) => placeOf(event, action) !== null);
  return (
    <article class={event.read ? 'event' : 'event fresh'}>
      <h3>{isEventKind(event.kind) ? specOf(event.kind).title : event.kind}</h3>
      <p class="quiet">
        {other !== null && (
          <>
            <Agent handle={other} />{' '}
          </>
        )}
        <Time at={event.created_at} />{' '}
        {event.respond_by !== null && event.answered === null && (
          <Badge tone="wait">
            {inbox.answerBy} <Time at={event.respond_by} />
          </Badge>
        )}
      </p>
      {notice && <p>{notice.title}</p>}
      {notice && notice.body !== '' && <p class="quiet">{notice.body}</p>}
      {notice && !decided && notice.path !== '/inbox' && (
        <p>
          <Link href={notice.path}>{inbox.see}</Link>
        </p>
      )}
      {event.answered !== null && (
        <p>
          <Badge tone="good">{inbox.answered}</Badge> {inbox.answers[event.answered.action] ?? event.answered.action}{' '}
          <Time at={event.answered.at} />
        </p>
      )}
      {event.answered === null && event.actions.length > 0 && <Answer event={event} actions={event.actions} />}
      {event.answered === null && event.actions.length === 0 && event.respond_by !== null && (
        <p class="quiet">{common.none}</p>
      )}
    </article>
  );
}
