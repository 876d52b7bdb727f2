// Keys for programs: which there are, what each may do, a new one (shown once), and taking one back.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { SCOPES, SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton, Secret } from '../parts/confirm.tsx';
import { Check, Choice, Field, Form } from '../parts/field.tsx';
import { date, money } from '../parts/format.ts';
import { Section, Table, Time } from '../parts/show.tsx';
import { Snippets } from '../parts/snippet.tsx';
import { Back, Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { account, agent } from '../session.ts';
import { programSnippets } from '../snippets.ts';
import { words } from '../words/words.ts';
import { KeyPair } from './key/pair.tsx';
import { MayDo, paysWith, Scopes, useOfferedScopes } from './key/scopes.tsx';
import { budgetOf, NO_LIMITS, SpendingFields } from './key/spending.tsx';

type Key = Output<'key.list'>[number];

const LIVES = ['7', '30', '90'] as const;

/** What a new key may do at first: as much as one of a sign-up, and the right that a refusal led here for. */
function useAskedScopes(): readonly string[] {
  const [asked] = useSearchParams();
  const wanted = SCOPES.filter((scope) => scope === asked.get('scope'));
  return [...new Set([...SIGNUP_SCOPES, ...wanted])];
}

function NewKey({ setMinted }: { setMinted: (key: string) => void }): JSX.Element {
  const { keys } = words;
  const create = useAct('key.create');
  const offered = useOfferedScopes();
  const [name, setName] = useState('');
  const [days, setDays] = useState<(typeof LIVES)[number]>('90');
  const [bound, setBound] = useState(true);
  const [scopes, setScopes] = useState(useAskedScopes());
  const [spending, setSpending] = useState(NO_LIMITS);
  const [lacking, setLacking] = useState(false);
  const make = async (): Promise<void> => {
    setLacking(scopes.length === 0);
    if (scopes.length === 0) return create.reset();
    const budget = paysWith(scopes) ? budgetOf(spending) : undefined;
    const made = await create.run({
      name,
      scopes: [...scopes],
      expires_in_days: Number(days),
      ...(bound && agent.value !== undefined && { agent_handle: agent.value }),
      ...(budget && { budget }),
    });
    if (!made) return;
    setMinted(made.api_key);
    setName('');
  };
  return (
    <>
      <Form onSubmit={make}>
        <Field
          label={keys.name}
          name="name"
          value={name}
          onInput={setName}
          error={create.error}
          maxLength={200}
          required
        />
        <Choice
          label={keys.lives}
          value={days}
          options={LIVES.map((each) => [each, keys.days(each)])}
          onChange={setDays}
        />
        {agent.value !== undefined && (
          <Check label={keys.onlyAs(`@${agent.value}`)} checked={bound} onChange={setBound} />
        )}
        <Scopes offered={offered} chosen={scopes} choose={setScopes} lacking={lacking} />
        {paysWith(scopes) ? (
          <SpendingFields typed={spending} type={setSpending} error={create.error} />
        ) : (
          <p class="quiet">{keys.spendNone}</p>
        )}
        <Button main submit busy={create.busy} disabled={name.trim() === ''}>
          {keys.make}
        </Button>
      </Form>
      {create.error && <Failure error={create.error} />}
    </>
  );
}

/** A new key, shown once, and code that uses it. */
function Making(): JSX.Element {
  const { keys, developer } = words;
  const [minted, setMinted] = useState<string | null>(null);
  return (
    <>
      <Section title={keys.make}>
        {minted !== null && <Secret text={keys.once} secret={minted} close={() => setMinted(null)} />}
        <NewKey setMinted={setMinted} />
        {account.value?.plan === 'free' && <p class="quiet">{keys.proOnly}</p>}
      </Section>
      <Section title={developer.use}>
        <p class="quiet">{developer.useWhy}</p>
        <p>{minted === null ? developer.usePlaceholder : developer.useNew}</p>
        <Snippets label={developer.use} of={programSnippets(location.origin, minted)} />
      </Section>
    </>
  );
}

function Revoke({ id, name }: Pick<Key, 'id' | 'name'>): JSX.Element {
  const { keys } = words;
  const revoke = useAct('key.revoke');
  return (
    <>
      <ConfirmButton
        danger
        busy={revoke.busy}
        question={keys.revokeAsk(name)}
        onClick={(yes) => revoke.run({ id }, yes)}
      >
        {keys.revoke}
      </ConfirmButton>
      {revoke.error && <Failure error={revoke.error} />}
    </>
  );
}

function spentOf({ budget }: Key): string {
  if (budget === null) return words.common.none;
  const { per_day_cents, spent_today_cents } = budget;
  return per_day_cents === null
    ? money(budget.spent_total_cents)
    : `${money(spent_today_cents)} / ${money(per_day_cents)}`;
}

/** What a program asked with a key, and what it was answered. */
function Requests({ id, name }: Pick<Key, 'id' | 'name'>): JSX.Element {
  const { keys } = words;
  const { request } = keys;
  const list = useRead('key.requests', { key_id: id });
  return (
    <Section title={keys.requestsOf(name)}>
      <Loaded of={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty text={keys.noRequests} />
          ) : (
            <>
              <p class="quiet">{keys.requestsKept}</p>
              <Table
                caption={keys.requestsOf(name)}
                rows={all}
                keyOf={({ request_id }) => request_id}
                columns={[
                  { name: request.at, cell: ({ at }) => <Time at={at} /> },
                  {
                    name: request.call,
                    cell: ({ method, path }) => (
                      <code>
                        {method} {path}
                      </code>
                    ),
                  },
                  { name: request.answer, figure: true, cell: ({ status }) => status },
                  { name: request.took, figure: true, cell: ({ duration_ms }) => keys.took(duration_ms) },
                  { name: request.id, cell: ({ request_id }) => <code>{request_id}</code> },
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The keys of the person's programs. */
export function KeysScreen(): JSX.Element {
  const { keys, common } = words;
  const [shown, setShown] = useState<Key | null>(null);
  const list = useRead('key.list', {});
  return (
    <>
      <h1 tabIndex={-1}>{keys.title}</h1>
      <Section title={keys.own}>
        <Loaded of={list}>
          {(all) =>
            all.length === 0 ? (
              <Empty text={keys.none} />
            ) : (
              <Table
                caption={keys.own}
                rows={all}
                keyOf={({ id }) => id}
                columns={[
                  { name: keys.name, cell: ({ name, prefix }) => [name, ' ', <code key="prefix">{prefix}…</code>] },
                  {
                    name: keys.actsAs,
                    cell: ({ agent_handle }) => (agent_handle === null ? keys.anyAgent : `@${agent_handle}`),
                  },
                  { name: keys.may, cell: ({ scopes }) => <MayDo scopes={scopes} /> },
                  {
                    name: keys.used,
                    cell: ({ last_used_at }) => (last_used_at === null ? common.never : <Time at={last_used_at} />),
                  },
                  {
                    name: keys.ends,
                    cell: ({ expires_at }) => (expires_at === null ? common.never : date(expires_at)),
                  },
                  { name: keys.today, cell: spentOf },
                  {
                    name: keys.deeds,
                    cell: (key) => (
                      <div class="buttons">
                        {key.kind !== 'key_pair' && <Button onClick={() => setShown(key)}>{keys.requests}</Button>}
                        <Revoke id={key.id} name={key.name} />
                      </div>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Section>
      {shown && <Requests id={shown.id} name={shown.name} />}
      <Making />
      {agent.value !== undefined && <KeyPair key={agent.value} handle={agent.value} />}
      <Back />
    </>
  );
}
