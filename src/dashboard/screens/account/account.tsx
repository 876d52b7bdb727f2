// The person's account: address, sessions, authorised programs, export and deletion.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { MeshworkError } from '../../../client/error.ts';
import type { Yes } from '../../final.ts';
import { PLAN_NAMES, PRIVACY_URL, TERMS_URL } from '../../instance.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { download } from '../../parts/download.ts';
import { Field, Form } from '../../parts/field.tsx';
import { count, date, money } from '../../parts/format.ts';
import { Badge, Facts, More, Outside, Section, Table, Time } from '../../parts/show.tsx';
import { Empty, Failure, KeptNote, Loaded } from '../../parts/states.tsx';
import { errorOf, useAct, usePages, useRead } from '../../resource.ts';
import { ask, type Output } from '../../server.ts';
import { signOut } from '../../session.ts';
import { words } from '../../words/words.ts';
import { MayDo } from '../key/scopes.tsx';
import { AccountLanguage } from './language.tsx';

// Deleting the account: blockers are listed with links to end them; a remaining balance is forfeited only with consent.

/** The last section of the account's screen. */
function Leave(): JSX.Element {
  const { accounts, nav } = words;
  const leave = useAct('account.delete', { quiet: true });
  const go = async (forfeit: boolean, yes: Yes): Promise<void> => {
    if (await leave.run({ forfeit }, yes)) await signOut();
  };
  const { error } = leave;
  const left = error?.code === 'balance_left' ? Number(error.body['balance_cents']) : null;
  return (
    <Section title={accounts.leave}>
      <p>{accounts.leaveWhy}</p>
      <ConfirmButton danger busy={leave.busy} question={accounts.leaveAsk} onClick={(yes) => go(false, yes)}>
        {accounts.leave}
      </ConfirmButton>
      {error?.code === 'open_obligations' && (
        <div class="notice" role="alert">
          <p>{accounts.open}</p>
          <ul>
            <li>
              <Link href="/escrows">{nav.escrows}</Link>
            </li>
            <li>
              <Link href="/subscriptions">{nav.subscriptions}</Link>
            </li>
            <li>
              <Link href="/payouts">{nav.payouts}</Link>
            </li>
          </ul>
        </div>
      )}
      {left !== null && (
        <div class="notice" role="alert">
          <p>{accounts.left(money(left))}</p>
          <ConfirmButton danger busy={leave.busy} question={accounts.leaveAsk} onClick={(yes) => go(true, yes)}>
            {accounts.forfeit}
          </ConfirmButton>
        </div>
      )}
      {error && left === null && error.code !== 'open_obligations' && <Failure error={error} />}
    </Section>
  );
}

// Exports a person's data as one file, read part by part, with progress.

type Part = Output<'account.export'>;

/** Reads all parts in turn; `told` receives the number of rows so far. */
async function gather(told: (rows: number) => void): Promise<{ whole: Omit<Part, 'next_cursor'>; rows: number }> {
  const { value: first } = await ask('account.export', {});
  const sections: Record<string, Record<string, unknown>[]> = {};
  let rows = 0;
  for (let part: Part = first; ; ) {
    for (const [name, more] of Object.entries(part.sections)) {
      sections[name] = [...(sections[name] ?? []), ...more];
      rows += more.length;
    }
    told(rows);
    if (part.next_cursor === null) break;
    part = (await ask('account.export', { cursor: part.next_cursor })).value;
  }
  return { whole: { exported_at: first.exported_at, account: first.account, sections }, rows };
}

/** The button and its outcome. */
function TakeAlong(): JSX.Element {
  const { accounts } = words;
  const [rows, setRows] = useState<number | null>(null);
  const [state, setState] = useState<'still' | 'busy' | 'done'>('still');
  const [error, setError] = useState<MeshworkError | null>(null);
  const go = async (): Promise<void> => {
    setState('busy');
    setError(null);
    setRows(0);
    try {
      const { whole } = await gather(setRows);
      download(`meshwork-${whole.exported_at.slice(0, 10)}.json`, 'application/json', JSON.stringify(whole, null, 2));
      setState('done');
    } catch (problem) {
      setError(errorOf(problem));
      setState('still');
    }
  };
  return (
    <Section title={accounts.data}>
      <p>{accounts.dataWhy}</p>
      <Button busy={state === 'busy'} onClick={go}>
        {accounts.take}
      </Button>
      <p role="status">
        {state === 'busy' && rows !== null && accounts.taking(count(rows))}
        {state === 'done' && rows !== null && accounts.taken(count(rows))}
      </p>
      {error && <Failure error={error} retry={go} />}
    </Section>
  );
}

function ConfirmAddress({ sent, moved }: { sent: readonly string[]; moved: () => void }): JSX.Element {
  const { accounts } = words;
  const confirm = useAct('account.confirm_address');
  const [code, setCode] = useState('');
  const [fresh, setFresh] = useState('');
  const go = async (): Promise<void> => {
    if (await confirm.run({ code: code.trim(), new_code: fresh.trim() })) moved();
  };
  const fields = [
    ['code', accounts.code, code, setCode],
    ['new_code', accounts.newCode, fresh, setFresh],
  ] as const;
  return (
    <Form onSubmit={go}>
      <KeptNote what="mail" to={sent} />
      {fields.map(([name, label, value, onInput]) => (
        <Field
          key={name}
          label={label}
          name={name}
          value={value}
          onInput={onInput}
          error={confirm.error}
          mode="numeric"
          maxLength={6}
          required
        />
      ))}
      <Button main submit busy={confirm.busy} disabled={code.trim().length < 6 || fresh.trim().length < 6}>
        {accounts.confirm}
      </Button>
      {confirm.error && <Failure error={confirm.error} />}
    </Form>
  );
}

function Address(): JSX.Element {
  const { accounts } = words;
  const own = useRead('account.read', {});
  const change = useAct('account.change_address', { quiet: true });
  const [email, setEmail] = useState('');
  const [state, setState] = useState<'still' | 'sent' | 'moved'>('still');
  const go = async (): Promise<void> => {
    if (await change.run({ email: email.trim() })) setState('sent');
  };
  return (
    <Section title={accounts.address}>
      <Loaded of={own}>
        {({ email: present, created_at, plan }) => (
          <Facts
            of={[
              [accounts.address, present],
              [accounts.since, date(created_at)],
              [accounts.plan, PLAN_NAMES[plan]],
              ...(TERMS_URL === null ? [] : [[accounts.terms, <Outside key="terms" url={TERMS_URL} />] as const]),
              ...(PRIVACY_URL === null
                ? []
                : [[accounts.privacy, <Outside key="privacy" url={PRIVACY_URL} />] as const]),
            ]}
          />
        )}
      </Loaded>
      <p role="status">{state === 'moved' && accounts.moved}</p>
      {state === 'sent' ? (
        <ConfirmAddress
          sent={[...(own.state === 'ready' ? [own.value.email] : []), email.trim()]}
          moved={() => setState('moved')}
        />
      ) : (
        <Form onSubmit={go}>
          <Field
            label={accounts.newAddress}
            hint={accounts.changeWhy}
            name="email"
            value={email}
            onInput={setEmail}
            error={change.error}
            type="email"
            maxLength={254}
            required
          />
          <Button submit busy={change.busy} disabled={email.trim() === ''}>
            {accounts.change}
          </Button>
          {change.error && <Failure error={change.error} />}
        </Form>
      )}
    </Section>
  );
}

function EndSession({ id }: { id: string }): JSX.Element {
  const { accounts } = words;
  const end = useAct('account.end_session');
  return (
    <>
      <ConfirmButton busy={end.busy} question={accounts.endAsk} onClick={(yes) => end.run({ id }, yes)}>
        {accounts.endIt}
      </ConfirmButton>
      {end.error && <Failure error={end.error} />}
    </>
  );
}

function Sessions(): JSX.Element {
  const { accounts } = words;
  const sessions = usePages('account.sessions', {});
  return (
    <Section title={accounts.sessions}>
      <Loaded of={sessions}>
        {(pages) => (
          <>
            <Table
              caption={accounts.sessions}
              rows={pages.items}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: accounts.began,
                  cell: ({ created_at, current }) => (
                    <>
                      <Time at={created_at} /> {current && <Badge tone="good">{accounts.here}</Badge>}
                    </>
                  ),
                },
                { name: accounts.ends, cell: ({ expires_at }) => date(expires_at) },
                { name: accounts.deeds, cell: ({ id, current }) => !current && <EndSession id={id} /> },
              ]}
            />
            <More of={pages} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Disconnect({ id, name }: { id: string; name: string }): JSX.Element {
  const { accounts } = words;
  const revoke = useAct('program.revoke');
  return (
    <>
      <ConfirmButton
        danger
        busy={revoke.busy}
        question={accounts.disconnectAsk(name)}
        onClick={(yes) => revoke.run({ id }, yes)}
      >
        {accounts.disconnect}
      </ConfirmButton>
      {revoke.error && <Failure error={revoke.error} />}
    </>
  );
}

function Programs(): JSX.Element {
  const { accounts, common } = words;
  const programs = usePages('program.list', {});
  return (
    <Section title={accounts.programs}>
      <Loaded of={programs}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={accounts.programsNone} />
          ) : (
            <>
              <Table
                caption={accounts.programs}
                rows={pages.items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: accounts.program,
                    cell: ({ name, host }) => (
                      <>
                        <span dir="auto">{name}</span> <span class="quiet">{host ?? accounts.unknownHost}</span>
                      </>
                    ),
                  },
                  {
                    name: accounts.may,
                    cell: ({ scopes }) => <MayDo scopes={scopes} />,
                  },
                  { name: accounts.since, cell: ({ created_at }) => <Time at={created_at} /> },
                  {
                    name: accounts.used,
                    cell: ({ last_call, last_used_at }) =>
                      // A later token was for calls that another server received.
                      last_call && (last_used_at === null || last_call.at >= last_used_at) ? (
                        <>
                          <code>{last_call.operation}</code> {last_call.status} · <Time at={last_call.at} />
                        </>
                      ) : last_used_at === null ? (
                        common.never
                      ) : (
                        <Time at={last_used_at} />
                      ),
                  },
                  { name: accounts.ends, cell: ({ expires_at }) => date(expires_at) },
                  { name: accounts.disconnect, cell: ({ id, name }) => <Disconnect id={id} name={name} /> },
                ]}
              />
              <p class="quiet">{accounts.callsKept}</p>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function RevokeAll(): JSX.Element {
  const { accounts } = words;
  const revoke = useAct('account.revoke_all', { quiet: true });
  const access = useRead('account.access', {});
  const go = async (yes: Yes): Promise<void> => {
    if (await revoke.run({}, yes)) await signOut();
  };
  return (
    <Section title={accounts.everything}>
      <p>{accounts.everythingWhy}</p>
      <Loaded of={access}>
        {(found) => (
          <ul>
            <li>
              {accounts.everythingEnds(
                String(found.keys),
                String(found.sessions),
                String(found.programs),
                String(found.passkeys),
                String(found.push_configs),
              )}
            </li>
            <li>{accounts.linksEnd}</li>
            {found.webhooks.map(({ id, agent_handle, url }) => (
              <li key={id}>{accounts.webhookEnds(agent_handle, url)}</li>
            ))}
            {found.endpoints.map(({ agent_handle, url }) => (
              <li key={agent_handle}>{accounts.endpointEnds(agent_handle, url)}</li>
            ))}
            {found.key_pairs.map(({ agent_handle, fingerprint }) => (
              <li key={fingerprint}>{accounts.pairEnds(agent_handle, fingerprint)}</li>
            ))}
          </ul>
        )}
      </Loaded>
      <ConfirmButton danger busy={revoke.busy} question={accounts.everythingAsk} onClick={go}>
        {accounts.everything}
      </ConfirmButton>
      {revoke.error && <Failure error={revoke.error} />}
    </Section>
  );
}

/** The account of the signed-in person. */
export function AccountScreen(): JSX.Element {
  return (
    <>
      <h1 tabIndex={-1}>{words.accounts.title}</h1>
      <Address />
      <AccountLanguage />
      <Sessions />
      <Programs />
      <RevokeAll />
      <TakeAlong />
      <Leave />
    </>
  );
}
