// Invitations: creating, listing and revoking them.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Field, Form } from '../parts/field.tsx';
import { More, Section, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, usePages } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Made = Output<'invitation.create'>;
type Invitation = Extract<Output<'invitation.list'>, readonly unknown[]>[number];

function Make(): JSX.Element {
  const { invitations } = words;
  const create = useAct('invitation.create');
  const [email, setEmail] = useState('');
  const [made, setMade] = useState<Made | null>(null);
  const make = async (mail: boolean): Promise<void> => {
    const to = email.trim();
    const done = await create.run(to === '' ? {} : { email: to, mail });
    if (!done) return;
    setMade(done);
    setEmail('');
  };
  return (
    <Form onSubmit={() => make(false)}>
      <Field
        label={invitations.email}
        name="email"
        type="email"
        value={email}
        onInput={setEmail}
        hint={invitations.emailWhy}
        error={create.error}
        maxLength={254}
      />
      <div class="buttons">
        <Button main submit busy={create.busy}>
          {invitations.link}
        </Button>
        {email.trim() !== '' && (
          <Button busy={create.busy} onClick={() => make(true)}>
            {invitations.mail}
          </Button>
        )}
      </div>
      {made && (
        <div role="status">
          {made.mailed && made.email !== null && <p>{invitations.mailed(made.email)}</p>}
          <p>{invitations.made}</p>
          <p>
            <code>{made.url}</code>
          </p>
        </div>
      )}
      {create.error && <Failure error={create.error} />}
    </Form>
  );
}

function Entry({ invitation }: { invitation: Invitation }): JSX.Element {
  const { invitations } = words;
  const revoke = useAct('invitation.revoke');
  const { id, email, used_at, expires_at } = invitation;
  const whom = email === null ? invitations.open : invitations.to(email);
  return (
    <li>
      <p>{used_at === null ? whom : invitations.used}</p>
      <p class="quiet">
        {used_at === null && invitations.until} <Time at={used_at ?? expires_at} />
      </p>
      {used_at === null && (
        <div class="buttons">
          <ConfirmButton
            danger
            question={invitations.revokeAsk}
            busy={revoke.busy}
            onClick={(yes) => revoke.run({ id }, yes)}
          >
            {invitations.revoke}
          </ConfirmButton>
        </div>
      )}
      {revoke.error && <Failure error={revoke.error} />}
    </li>
  );
}

/** The person's invitations and their allowance; for administrators, all invitations. */
export function InvitationsScreen(): JSX.Element {
  const { invitations } = words;
  const list = usePages('invitation.list', {});
  return (
    <>
      <h1 tabIndex={-1}>{invitations.title}</h1>
      <Section title={invitations.make}>
        <p class="quiet">{invitations.why}</p>
        <Make />
      </Section>
      <Section title={invitations.title}>
        <Loaded of={list}>
          {(pages) =>
            pages.items.length === 0 ? (
              <Empty text={invitations.none} />
            ) : (
              <>
                <ul class="news">
                  {pages.items.map((invitation) => (
                    <Entry key={invitation.id} invitation={invitation} />
                  ))}
                </ul>
                <More of={pages} />
              </>
            )
          }
        </Loaded>
      </Section>
    </>
  );
}
