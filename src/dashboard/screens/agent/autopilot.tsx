// An agent's autopilot: explanation, rehearsal and switch. Switching on requires a rehearsal and confirmation; off works at once.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import {
  ASK_MINUTES_MAX,
  ON_TIMEOUT,
  POLICIES_MAX,
  POLICY_OPERATIONS,
  POLICY_OUTCOMES,
  type PolicyOperation,
} from '../../../domain/agent/policy.ts';
import { isAutomatic } from '../../../domain/negotiation/proposal.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton, SaveForm } from '../../parts/confirm.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { count, money } from '../../parts/format.ts';
import { Badge, Facts, Section } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { BOUNDS_PLACE, type OwnAgent } from './own.ts';

// A rehearsal's conversations between an agent and a copy of it, about each live listing, and their outcomes.

type Rehearsal = Output<'agent.rehearse'>['rehearsals'][number];

/** A link to the bounds form on the same page. */
function ToBounds(): JSX.Element {
  return <a href={`#${BOUNDS_PLACE}`}>{words.autopilot.toBounds}</a>;
}

interface EndProps {
  of: Rehearsal;
  bounds: OwnAgent['bounds'];
}

function End({ of: { ended, amount_cents, side }, bounds }: EndProps): JSX.Element {
  const { autopilot } = words;
  if (ended === 'no_limit') {
    return (
      <p>
        {autopilot.ended.no_limit} <ToBounds />
      </p>
    );
  }
  if (amount_cents === null) return <p>{autopilot.ended.apart}</p>;
  return (
    <p>
      <strong>{autopilot.ended.agreed(money(amount_cents))}</strong>{' '}
      {isAutomatic(bounds, side, amount_cents) ? autopilot.alone : autopilot.waits}
    </p>
  );
}

function Talk({ said }: { said: Rehearsal['said'] }): JSX.Element {
  const { autopilot } = words;
  return (
    <ol class="talk-log">
      {said.map(({ by, text }, at) => (
        // A rehearsal's messages never change order, so the index is the key.
        <li key={`${at} ${by}`} class={by === 'you' ? 'said self' : 'said'}>
          <p class="said-by quiet">{autopilot.by[by]}</p>
          <p class="said-text" dir="auto">
            {text}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Rehearsed({ of, bounds, open }: EndProps & { open: boolean }): JSX.Element {
  const { autopilot } = words;
  const id = useId();
  return (
    <article class="event" aria-labelledby={id}>
      <p class="marks">
        <Badge>{autopilot.sides[of.side]}</Badge>
      </p>
      <h3 id={id} dir="auto">
        {of.headline}
      </h3>
      <End of={of} bounds={bounds} />
      {of.said.length > 0 && (
        <details open={open}>
          <summary>{autopilot.talk(count(of.said.length))}</summary>
          <Talk said={of.said} />
        </details>
      )}
    </article>
  );
}

/** All conversations; the first one is open. */
function Rehearsals({ of, bounds }: { of: readonly Rehearsal[]; bounds: OwnAgent['bounds'] }): JSX.Element {
  const { autopilot } = words;
  if (of.length === 0) return <Empty text={autopilot.none} href="/listings" action={autopilot.noneGo} />;
  return (
    <>
      {of.map((each, at) => (
        <Rehearsed key={each.listing_id} of={each} bounds={bounds} open={at === 0} />
      ))}
    </>
  );
}

type Bounds = OwnAgent['bounds'];

const AMOUNTS = ['max_pay_cents', 'min_charge_cents', 'auto_approve_below_cents'] as const;

/** The bounds in force; a missing one as text. */
function InForce({ bounds }: { bounds: Bounds }): JSX.Element {
  const { autopilot } = words;
  const inForce = (name: (typeof AMOUNTS)[number]): string => {
    const cents = bounds[name];
    return cents === null ? autopilot.unbounded[name] : money(cents);
  };
  return (
    <>
      <Facts
        of={[
          [autopilot.pays, inForce('max_pay_cents')],
          [autopilot.charges, inForce('min_charge_cents')],
          [autopilot.approves, inForce('auto_approve_below_cents')],
        ]}
      />
      {AMOUNTS.every((name) => bounds[name] === null) && (
        <p class="notice">
          {autopilot.warning} <ToBounds />
        </p>
      )}
    </>
  );
}

/** The switch. Switching on requires a rehearsal. */
function Switch({ own, seen }: { own: OwnAgent; seen: boolean }): JSX.Element {
  const { autopilot } = words;
  const update = useAct('agent.update', { as: own.handle });
  const turn = (on: boolean): Promise<unknown> => update.run({ autopilot: on });
  const { busy } = update;
  return (
    <>
      <p role="status">{own.autopilot ? autopilot.isOn : autopilot.isOff}</p>
      {own.autopilot && (
        <Button danger busy={busy} onClick={() => turn(false)}>
          {autopilot.switchOff}
        </Button>
      )}
      {!own.autopilot && seen && (
        <ConfirmButton
          main
          busy={busy}
          question={autopilot.ask(own.handle)}
          told={<InForce bounds={own.bounds} />}
          onClick={() => turn(true)}
        >
          {autopilot.switchOn}
        </ConfirmButton>
      )}
      {!own.autopilot && !seen && (
        <>
          <Button disabled>{autopilot.switchOn}</Button>
          <p class="quiet">{autopilot.first}</p>
        </>
      )}
      {update.error && <Failure error={update.error} />}
    </>
  );
}

/** Explains, rehearses and switches autopilot. */
export function AutopilotPart({ own }: { own: OwnAgent }): JSX.Element {
  const { autopilot, agents } = words;
  const [asked, setAsked] = useState(false);
  const read = useRead('agent.rehearse', asked ? {} : null, { as: own.handle });
  const talks = asked && read.state === 'ready' ? read.value.rehearsals.length : 0;
  // A stale rehearsal may be of other bounds, so it does not count.
  const seen = talks > 0 && read.state === 'ready' && read.stale === null;
  return (
    <Section
      title={autopilot.title}
      aside={<Badge tone={own.autopilot ? 'good' : 'plain'}>{own.autopilot ? autopilot.mark : autopilot.off}</Badge>}
    >
      <p>{autopilot.lead}</p>
      {!own.verified && (
        <p class="notice">
          {autopilot.unverified} <Link href="/onboarding#verification">{agents.verify}</Link>
        </p>
      )}
      <p class="quiet">{autopilot.rehearseWhy}</p>
      <div class="buttons">
        <Button onClick={asked ? read.retry : () => setAsked(true)}>
          {asked ? autopilot.again : autopilot.rehearse}
        </Button>
      </div>
      <p role="status" class="quiet">
        {talks > 0 && autopilot.shown(count(talks))}
      </p>
      {asked && <Loaded of={read}>{({ rehearsals }) => <Rehearsals of={rehearsals} bounds={own.bounds} />}</Loaded>}
      <Switch own={own} seen={seen} />
    </Section>
  );
}

// Policies: what the agent's programs may do alone, with which amounts and parties; saved as a whole.

type Policy = OwnAgent['bounds']['policies'][number];

/** A policy's draft: minutes are text until saved. */
interface Written {
  readonly operation: PolicyOperation;
  readonly handle: string;
  readonly outcome: Policy['outcome'];
  readonly minutes: string;
  readonly on_timeout: NonNullable<Policy['on_timeout']>;
}

const FRESH: Written = { operation: 'wallet.send', handle: '', outcome: 'ask', minutes: '', on_timeout: 'refuse' };

const writtenOf = ({ operation, handle, outcome, ask_minutes, on_timeout }: Policy): Written => ({
  ...{ operation, outcome, handle: handle ?? '' },
  ...{ minutes: String(ask_minutes ?? ''), on_timeout: on_timeout ?? 'refuse' },
});

/** Whether a policy needs a deadline; a proposal expires after three days by itself. */
const isTimed = ({ operation, outcome }: Written): boolean => outcome === 'ask' && operation !== 'proposal.approve';

/** Minutes as a number; null when empty, undefined when invalid. */
function minutesOf({ minutes }: Written): number | null | undefined {
  const text = minutes.trim();
  if (text === '') return null;
  const given = Number(text);
  return Number.isInteger(given) && given >= 1 && given <= ASK_MINUTES_MAX ? given : undefined;
}

/** What is saved of it: who answers a routed call by then is another, so silence says nothing there. */
function policyOf(written: Written) {
  const { operation, handle, outcome, on_timeout } = written;
  const policy = { operation, outcome, handle: handle.trim() || null };
  if (!isTimed(written)) return policy;
  const waits = operation === 'router_call.make' ? ('refuse' as const) : on_timeout;
  return { ...policy, ask_minutes: minutesOf(written) ?? null, on_timeout: waits };
}

interface RowProps {
  of: Written;
  at: number;
  error: ReturnType<typeof useAct>['error'];
  set: (part: Partial<Written>) => void;
  remove: () => void;
}

function Row({ of, at, error, set, remove }: RowProps): JSX.Element {
  const { policies } = words;
  // A proposal always waits for its person, so there is nothing to refuse.
  const outcomes = POLICY_OUTCOMES.filter((each) => each !== 'refuse' || of.operation !== 'proposal.approve');
  return (
    <div class="row wide policy">
      <Choice
        label={policies.operation}
        value={of.operation}
        options={POLICY_OPERATIONS.map((each) => [each, policies.operations[each]] as const)}
        onChange={(operation) => {
          const refused = operation === 'proposal.approve' && of.outcome === 'refuse';
          set({ operation, ...(refused && { outcome: 'ask' }) });
        }}
      />
      <Field
        label={policies.handle}
        name={`policies.${at}`}
        value={of.handle}
        onInput={(handle) => set({ handle })}
        error={error}
        maxLength={64}
      />
      <Choice
        label={policies.outcome}
        value={of.outcome}
        options={outcomes.map((each) => [each, policies.outcomes[each]] as const)}
        onChange={(outcome) => set({ outcome })}
      />
      {isTimed(of) && (
        <Field
          label={policies.minutes}
          value={of.minutes}
          onInput={(minutes) => set({ minutes })}
          mode="numeric"
          {...(minutesOf(of) === undefined && { hint: policies.minutesWrong(count(ASK_MINUTES_MAX)) })}
          maxLength={4}
        />
      )}
      {isTimed(of) && of.operation !== 'router_call.make' && (
        <Choice
          label={policies.timeout}
          value={of.on_timeout}
          options={ON_TIMEOUT.map((each) => [each, policies.timeouts[each]] as const)}
          onChange={(on_timeout) => set({ on_timeout })}
        />
      )}
      <Button label={policies.remove(policies.operations[of.operation])} onClick={remove}>
        {policies.away}
      </Button>
    </div>
  );
}

export function PoliciesPart({ own }: { own: OwnAgent }): JSX.Element {
  const { policies } = words;
  const bounds = useAct('agent.bounds', { as: own.handle });
  const [rows, setRows] = useState<readonly Written[]>(own.bounds.policies.map(writtenOf));
  const set = (at: number, part: Partial<Written>): void =>
    setRows(rows.map((each, n) => (n === at ? { ...each, ...part } : each)));
  const wrong = rows.some((each) => isTimed(each) && minutesOf(each) === undefined);
  return (
    <Section title={policies.title}>
      <p class="quiet">{policies.why}</p>
      <SaveForm save={() => bounds.run({ policies: rows.map(policyOf) })} act={bounds} disabled={wrong}>
        {rows.length === 0 && <p class="quiet">{policies.none}</p>}
        {rows.map((each, at) => (
          <Row
            // Drafts may be identical until saved, so the index is the key.
            key={at}
            of={each}
            at={at}
            error={bounds.error}
            set={(part) => set(at, part)}
            remove={() => setRows(rows.filter((_, n) => n !== at))}
          />
        ))}
        {rows.length < POLICIES_MAX && (
          <div class="buttons">
            <Button onClick={() => setRows([...rows, FRESH])}>{policies.add}</Button>
          </div>
        )}
      </SaveForm>
    </Section>
  );
}
