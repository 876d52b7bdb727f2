// The meetings of a conversation: what is to come, what took place, saying so, and setting another one.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { count } from '../../parts/format.ts';
import { Badge, More, Outside, Table, Time } from '../../parts/show.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { type Pages, useAct } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { Meeting } from './next-step.ts';

const USUAL_MINUTES = '30';
/** A timer takes no longer time. */
const WAIT_MAX_MS = 2_147_483_647;

/** Whether a time is past; the page changes when it comes. */
export function usePast(iso: string): boolean {
  const left_ms = Date.parse(iso) - Date.now();
  const [, look] = useState(0);
  useEffect(() => {
    if (!(left_ms > 0 && left_ms < WAIT_MAX_MS)) return undefined;
    const timer = setTimeout(() => look((n) => n + 1), left_ms);
    return () => clearTimeout(timer);
  }, [iso]);
  return left_ms <= 0;
}

/** Says that a meeting took place; either side may. */
export function TookPlace({ of: { conversation_id, meeting_id } }: { of: Meeting }): JSX.Element {
  const { run, busy, error } = useAct('meeting.complete');
  return (
    <>
      <Button busy={busy} onClick={() => run({ conversation_id, meeting_id })}>
        {words.meetings.done}
      </Button>
      {error && <Failure error={error} />}
    </>
  );
}

/** How a meeting stands. */
function State({ of, above }: { of: Meeting; above: boolean }): JSX.Element {
  const { meetings } = words;
  const begun = usePast(of.starts_at);
  if (of.status === 'completed') return <Badge tone="good">{meetings.statuses.completed}</Badge>;
  if (!begun) return <Badge tone="wait">{meetings.statuses.scheduled}</Badge>;
  return (
    <>
      <Badge tone="wait">{meetings.begun}</Badge> {!above && <TookPlace of={of} />}
    </>
  );
}

interface ListProps {
  of: Pages<Meeting>;
  /** The meeting about which the question stands elsewhere on the page. */
  above: string | null;
}

function List({ of, above }: ListProps): JSX.Element {
  const { meetings, common } = words;
  if (of.items.length === 0) return <Empty text={meetings.none} />;
  return (
    <>
      <Table
        caption={meetings.title}
        rows={of.items}
        keyOf={({ meeting_id }) => meeting_id}
        columns={[
          { name: meetings.when, cell: ({ starts_at }) => <Time at={starts_at} exact /> },
          { name: meetings.length, figure: true, cell: ({ duration_minutes }) => count(duration_minutes) },
          { name: meetings.where, cell: ({ url }) => (url === null ? common.none : <Outside url={url} />) },
          { name: meetings.state, cell: (of) => <State of={of} above={of.meeting_id === above} /> },
        ]}
      />
      <More of={of} />
    </>
  );
}

/** What a field of a day and time holds, as the wire writes it; null where it is none. */
function instantOf(local: string): string | null {
  const at_ms = new Date(local).getTime();
  return local === '' || Number.isNaN(at_ms) ? null : new Date(at_ms).toISOString();
}

function Schedule({ id }: { id: string }): JSX.Element {
  const { meetings } = words;
  const { run, busy, error } = useAct('meeting.schedule');
  const [when, setWhen] = useState('');
  const [minutes, setMinutes] = useState(USUAL_MINUTES);
  const [url, setUrl] = useState('');
  const starts_at = instantOf(when);
  const duration_minutes = Number(minutes.trim() || Number.NaN);
  const whole = starts_at !== null && Number.isInteger(duration_minutes);
  const go = async (): Promise<void> => {
    if (!whole) return;
    const where = url.trim() === '' ? {} : { url: url.trim() };
    if (!(await run({ conversation_id: id, starts_at, duration_minutes, ...where }))) return;
    setWhen('');
    setUrl('');
  };
  return (
    <details>
      <summary>{meetings.set}</summary>
      <Form onSubmit={go}>
        <p class="quiet">{meetings.setWhy}</p>
        <Field
          label={meetings.when}
          name="starts_at"
          value={when}
          onInput={setWhen}
          type="datetime-local"
          error={error}
          required
        />
        <Field
          label={meetings.length}
          name="duration_minutes"
          value={minutes}
          onInput={setMinutes}
          mode="numeric"
          error={error}
          required
        />
        <Field
          label={meetings.url}
          name="url"
          value={url}
          onInput={setUrl}
          mode="url"
          error={error}
          maxLength={2_000}
        />
        <Button main submit busy={busy} disabled={!whole}>
          {meetings.setGo}
        </Button>
        {error && <Failure error={error} />}
      </Form>
    </details>
  );
}

/** The meetings; while the conversation takes messages, another one can be set. */
export function Meetings({ id, of, above, takes }: ListProps & { id: string; takes: boolean }): JSX.Element {
  return (
    <>
      <List of={of} above={above} />
      {takes && <Schedule id={id} />}
    </>
  );
}
