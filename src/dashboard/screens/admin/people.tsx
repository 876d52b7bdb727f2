// The account of a person, looked at for a reason that is written down.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { date } from '../../parts/format.ts';
import { Agent, Badge, Facts, Section } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Found = Output<'admin.account'>;

/** Says who the person behind an agent is: a proof that needs no phone and no site. */
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

function Person({ email, plan, created_at, deleted_at, provisional, admin: administers, agents }: Found): JSX.Element {
  const { admin, accounts, common } = words;
  return (
    <div role="status">
      <p>
        {deleted_at !== null && <Badge tone="bad">{admin.gone}</Badge>}{' '}
        {provisional && <Badge>{admin.provisional}</Badge>}{' '}
        {administers && <Badge tone="good">{admin.administers}</Badge>}
      </p>
      <Facts
        of={[
          [accounts.address, email ?? common.none],
          [accounts.plan, plan],
          [accounts.since, date(created_at)],
        ]}
      />
      <h3>{admin.agents}</h3>
      <ul>
        {agents.map(({ id, handle, visibility, deactivated_at }) => (
          <li key={id}>
            <Agent handle={handle} /> <span class="quiet">{visibility}</span>{' '}
            {deactivated_at === null ? <Vouch handle={handle} /> : <Badge tone="bad">{admin.gone}</Badge>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The question with its reason, and the answer. */
export function PeoplePart(): JSX.Element {
  const { admin } = words;
  const look = useAct('admin.account', { quiet: true });
  const [who, setWho] = useState('');
  const [reason, setReason] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const go = async (): Promise<void> => {
    const asked = who.trim();
    const named =
      asked.includes('@') && !asked.startsWith('@') ? { email: asked } : { handle: asked.replace(/^@/, '') };
    setFound(await look.run({ ...named, reason: reason.trim() }));
  };
  return (
    <Section title={admin.people}>
      <p>{admin.peopleWhy}</p>
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
      {look.error && <Failure error={look.error} />}
      {found && <Person {...found} />}
    </Section>
  );
}
