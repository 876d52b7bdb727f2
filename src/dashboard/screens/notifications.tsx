// What happened to all of the person's agents, in words, what of it is mailed, and which devices are pushed to.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { MeshworkError } from '../../client/error.ts';
import { actAs } from '../acting.ts';
import { Button } from '../parts/button.tsx';
import { Check, Choice, Field, Form } from '../parts/field.tsx';
import { pathOf } from '../parts/path.ts';
import { More, Section, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { Devices } from './devices.tsx';

type Preferences = Output<'notification.preferences'>;

const SHOWN = 50;

function News(): JSX.Element {
  const { notifications } = words;
  const pages = usePages('notification.list', { limit: SHOWN });
  const mark = useAct('notification.read');
  const markAll = useAct('notification.read_all');
  return (
    <Section
      title={notifications.news}
      aside={
        <Button busy={markAll.busy} onClick={() => markAll.run({})}>
          {notifications.markAll}
        </Button>
      }
    >
      {markAll.error && <Failure error={markAll.error} />}
      <Loaded of={pages}>
        {(of) =>
          of.items.length === 0 ? (
            <Empty text={notifications.none} href="/listings" action={words.nav.listings} />
          ) : (
            <>
              <ul class="news">
                {of.items.map(({ id, handle, title, body, url, created_at, read }) => (
                  <li key={id} class={read ? undefined : 'fresh'}>
                    <Link
                      href={pathOf(url)}
                      onClick={() => {
                        actAs(handle);
                        if (!read) void mark.run({ id });
                      }}
                    >
                      {title}
                    </Link>{' '}
                    <span class="quiet">
                      @{handle} <Time at={created_at} />
                    </span>
                    {body !== '' && <p class="quiet">{body}</p>}
                  </li>
                ))}
              </ul>
              <More of={of} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

interface HoursProps {
  from: string;
  to: string;
  setFrom: (from: string) => void;
  setTo: (to: string) => void;
  error: MeshworkError | null;
}

function Hours({ from, to, setFrom, setTo, error }: HoursProps): JSX.Element {
  const { notifications } = words;
  return (
    <div class="buttons">
      <Field
        label={notifications.from}
        name="quiet_hours.from"
        value={from}
        onInput={setFrom}
        error={error}
        maxLength={5}
      />
      <Field label={notifications.to} name="quiet_hours.to" value={to} onInput={setTo} error={error} maxLength={5} />
    </div>
  );
}

function Settings({ now }: { now: Preferences }): JSX.Element {
  const { notifications, devices, common } = words;
  const prefer = useAct('notification.prefer');
  const [saved, setSaved] = useState(false);
  const [email, setEmail] = useState<Preferences['email']>(now.email);
  const [push, setPush] = useState<Preferences['push']>(now.push);
  const [daily, setDaily] = useState(now.digest === 'daily');
  const [quiet, setQuiet] = useState(now.quiet_hours !== null);
  const [from, setFrom] = useState(now.quiet_hours?.from ?? '22:00');
  const [to, setTo] = useState(now.quiet_hours?.to ?? '07:00');
  const tz = now.quiet_hours?.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const save = async (): Promise<void> => {
    setSaved(false);
    const quiet_hours = quiet ? { from, to, tz } : null;
    setSaved((await prefer.run({ email, push, digest: daily ? 'daily' : 'off', quiet_hours })) !== null);
  };
  return (
    <Form onSubmit={save}>
      <Choice
        label={notifications.email}
        value={email}
        options={[
          ['all', notifications.emailAll],
          ['important', notifications.emailImportant],
          ['none', notifications.emailNone],
        ]}
        onChange={setEmail}
      />
      <Choice
        label={devices.what}
        value={push}
        options={[
          ['all', devices.all],
          ['important', devices.important],
          ['none', devices.nothing],
        ]}
        onChange={setPush}
      />
      <p class="quiet">{devices.importantWhy}</p>
      <Check label={notifications.digest} checked={daily} onChange={setDaily} />
      <Check label={notifications.quiet(tz)} checked={quiet} onChange={setQuiet} />
      {quiet && <Hours from={from} to={to} setFrom={setFrom} setTo={setTo} error={prefer.error} />}
      <div class="buttons">
        <Button main submit busy={prefer.busy}>
          {common.save}
        </Button>
        {saved && <span role="status">{common.saved}</span>}
      </div>
      {prefer.error && <Failure error={prefer.error} />}
    </Form>
  );
}

/** Notifications, and which letters are sent. */
export function NotificationsScreen(): JSX.Element {
  const { notifications } = words;
  const preferences = useRead('notification.preferences', {});
  return (
    <>
      <h1 tabIndex={-1}>{notifications.title}</h1>
      <News />
      <Section title={notifications.letters}>
        <Loaded of={preferences}>{(now) => <Settings now={now} />}</Loaded>
      </Section>
      <Devices />
    </>
  );
}
