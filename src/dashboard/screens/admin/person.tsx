// A person's account, opened for a recorded reason, with the administrator's acts for the same reason.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Yes } from '../../final.ts';
import { PLAN_NAMES } from '../../instance.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { date, money } from '../../parts/format.ts';
import { Agent, Badge, Facts, Section, Table, Time } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { type Act, useAct } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Found = Output<'admin.account'>;

/** Verifies the person behind an agent by hand, without a phone or site. */
function Vouch({ handle }: { handle: string }): JSX.Element {
  const { admin } = words;
  const vouch = useAct('trust.confirm_identity');
  const [reference, setReference] = useState('');
  const [reason, setReason] = useState('');
  const [done, setDone] = useState(false);
  const go = async (): Promise<void> => setDone((await vouch.run({ handle, reference, reason })) !== null);
  if (done) return <Badge tone="good">{admin.vouched}</Badge>;
  return (
    <details>
      <summary>{admin.vouch}</summary>
      <Form onSubmit={go}>
        <p class="quiet">{admin.vouchWhy}</p>
        {(
          [
            ['reference', admin.reference, reference, setReference],
            ['reason', admin.checked, reason, setReason],
          ] as const
        ).map(([name, label, value, set]) => (
          <Field
            key={name}
            name={name}
            label={label}
            value={value}
            onInput={set}
            error={vouch.error}
            maxLength={200}
            required
          />
        ))}
        <Button main submit busy={vouch.busy}>
          {admin.vouch}
        </Button>
        {vouch.error && <Failure error={vouch.error} />}
      </Form>
    </details>
  );
}

interface ActsProps {
  of: Found;
  reason: string;
  /** Called after each act. */
  done: () => unknown;
}

/** The balance that blocked an erasure. */
function leftOf({ balance_cents: left }: Readonly<Record<string, unknown>>): number | null {
  return typeof left === 'number' ? left : null;
}

interface EraseProps {
  input: { id: string; reason: string };
  act: Act<'admin.erase'>;
  done: () => void;
}

/** The last button: with a remaining balance it asks once more whether to forfeit it. */
function Erase({ input, act, done }: EraseProps): JSX.Element {
  const { admin } = words;
  const left = act.error?.code === 'balance_left' ? leftOf(act.error.body) : null;
  const go = async (yes: Yes): Promise<void> => {
    if ((await act.run({ ...input, ...(left !== null && { forfeit: true }) }, yes)) !== null) done();
  };
  return (
    <ConfirmButton
      danger
      busy={act.busy}
      question={left === null ? admin.eraseAsk : admin.forfeitAsk(money(left))}
      onClick={go}
    >
      {left === null ? admin.erase : admin.eraseForfeit}
    </ConfirmButton>
  );
}

function Acts({ of: { id, plan, suspended_at }, reason, done }: ActsProps): JSX.Element {
  const { admin } = words;
  const suspend = useAct('admin.suspend');
  const unsuspend = useAct('admin.unsuspend');
  const setPlan = useAct('admin.set_plan');
  const reset = useAct('admin.reset_sign_in');
  const erase = useAct('admin.erase');
  const [told, setTold] = useState('');
  const other = plan === 'free' ? 'pro' : 'free';
  const after = (did: unknown, text: string): void => {
    if (did === null) return;
    setTold(text);
    done();
  };
  const error = suspend.error ?? unsuspend.error ?? setPlan.error ?? reset.error ?? erase.error;
  const input = { id, reason };
  return (
    <>
      <div class="buttons">
        {suspended_at === null ? (
          <ConfirmButton
            danger
            busy={suspend.busy}
            question={admin.suspendAsk}
            onClick={async (yes: Yes) => after(await suspend.run(input, yes), admin.suspendedNow)}
          >
            {admin.suspend}
          </ConfirmButton>
        ) : (
          <Button busy={unsuspend.busy} onClick={async () => after(await unsuspend.run(input), admin.letInNow)}>
            {admin.letIn}
          </Button>
        )}
        <Button
          busy={setPlan.busy}
          onClick={async () => after(await setPlan.run({ ...input, plan: other }), admin.planNow(PLAN_NAMES[other]))}
        >
          {admin.setPlan(PLAN_NAMES[other])}
        </Button>
        <ConfirmButton
          busy={reset.busy}
          question={admin.resetAsk}
          onClick={async (yes: Yes) => after(await reset.run(input, yes), admin.resetNow)}
        >
          {admin.reset}
        </ConfirmButton>
        <Erase input={input} act={erase} done={() => after(true, admin.erasedNow)} />
      </div>
      <p role="status">{told}</p>
      {error && <Failure error={error} />}
    </>
  );
}

function Access({ keys, sessions }: Found): JSX.Element {
  const { admin, accounts, common } = words;
  return (
    <>
      <h3>{admin.keys}</h3>
      {keys.length === 0 ? (
        <p class="quiet">{admin.keysNone}</p>
      ) : (
        <Table
          caption={admin.keys}
          rows={keys}
          keyOf={({ id }) => id}
          columns={[
            { name: admin.keyName, cell: ({ name }) => <span dir="auto">{name}</span> },
            { name: admin.keyBegins, cell: ({ prefix }) => <code>{prefix}…</code> },
            {
              name: accounts.used,
              cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : common.none),
            },
            { name: accounts.ends, cell: ({ expires_at }) => <Time at={expires_at} /> },
          ]}
        />
      )}
      <h3>{accounts.sessions}</h3>
      {sessions.length === 0 ? (
        <p class="quiet">{admin.sessionsNone}</p>
      ) : (
        <Table
          caption={accounts.sessions}
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { name: accounts.began, cell: ({ created_at }) => <Time at={created_at} /> },
            { name: accounts.ends, cell: ({ expires_at }) => <Time at={expires_at} /> },
          ]}
        />
      )}
    </>
  );
}

function Person(props: ActsProps): JSX.Element {
  const { email, plan, state, created_at, deleted_at, admin: administers, suspended_at, agents } = props.of;
  const { admin, accounts, common } = words;
  return (
    <div role="status">
      <p>
        {deleted_at !== null && <Badge tone="bad">{admin.gone}</Badge>}{' '}
        {state === 'suspended' && <Badge tone="bad">{admin.states.suspended}</Badge>}{' '}
        {state === 'provisional' && <Badge>{admin.provisional}</Badge>}{' '}
        {administers && <Badge tone="good">{admin.administers}</Badge>}
      </p>
      <Facts
        of={[
          [accounts.address, email ?? common.none],
          [accounts.plan, PLAN_NAMES[plan]],
          [accounts.since, date(created_at)],
          ...(suspended_at === null ? [] : [[admin.suspendedSince, <Time key="at" at={suspended_at} />] as const]),
        ]}
      />
      {deleted_at === null && <Acts {...props} />}
      <h3>{admin.agents}</h3>
      <ul>
        {agents.map(({ id, handle, visibility, deactivated_at }) => (
          <li key={id}>
            <Agent handle={handle} /> <span class="quiet">{visibility}</span>{' '}
            {deactivated_at === null ? <Vouch handle={handle} /> : <Badge tone="bad">{admin.deactivated}</Badge>}
          </li>
        ))}
      </ul>
      <Access {...props.of} />
    </div>
  );
}

/** The input of the read for the typed text. */
function named(text: string): { email: string } | { handle: string } | { id: string } {
  const asked = text.trim();
  if (asked.startsWith('@')) return { handle: asked.slice(1) };
  if (asked.includes('@')) return { email: asked };
  return /^[0-9a-f]{8}-/.test(asked) ? { id: asked } : { handle: asked };
}

/** The form with its reason, and the result. `about` is the person chosen from a list. */
export function LookPart({ about }: { about: string }): JSX.Element {
  const { admin } = words;
  const look = useAct('admin.account', { quiet: true });
  const [who, setWho] = useState(about);
  const [reason, setReason] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (about === '') return;
    setWho(about);
    setFound(null);
    form.current?.querySelector<HTMLInputElement>('input[name="reason"]')?.focus();
  }, [about]);
  const go = async (): Promise<void> => setFound(await look.run({ ...named(who), reason: reason.trim() }));
  return (
    <Section title={admin.account}>
      <p>{admin.peopleWhy}</p>
      <div ref={form}>
        <Form onSubmit={go}>
          <Field label={admin.who} value={who} onInput={setWho} maxLength={254} required />
          <Field
            label={admin.reason}
            name="reason"
            value={reason}
            onInput={setReason}
            error={look.error}
            maxLength={500}
            required
          />
          <Button main submit busy={look.busy} disabled={who.trim() === '' || reason.trim() === ''}>
            {admin.look}
          </Button>
        </Form>
      </div>
      {look.error && <Failure error={look.error} />}
      {found && <Person of={found} reason={reason.trim()} done={go} />}
    </Section>
  );
}
