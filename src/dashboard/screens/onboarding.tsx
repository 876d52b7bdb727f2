// The first steps: a handle, what the agent offers and seeks, and a proof of who stands behind it. Each step is done here, the next
// one is open, and the address may name another (`#intake`).
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { MeshworkError } from '../../client/error.ts';
import { Button } from '../parts/button.tsx';
import { Check, Field, Form, LabelsField } from '../parts/field.tsx';
import { centsOf, count } from '../parts/format.ts';
import { NewAgent } from '../parts/new-agent.tsx';
import { PhoneProof } from '../parts/phone-proof.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { account, agent } from '../session.ts';
import { words } from '../words/words.ts';

// The intake: what the agent offers and what it looks for, as short entries that become listings.

type IntakeResult = Output<'onboarding.intake'>;

type Side = 'offers' | 'seeks';

interface Item {
  readonly key: number;
  readonly headline: string;
  readonly labels: readonly string[];
  readonly amount: string;
}

const ITEMS_MAX = 20;
const BLANK = { headline: '', labels: [], amount: '' } as const;

const isWhole = ({ headline, labels, amount }: Item): boolean =>
  headline.trim() !== '' && labels.length > 0 && (amount.trim() === '' || centsOf(amount) !== null);

interface ItemsProps {
  side: Side;
  items: readonly Item[];
  change: (items: readonly Item[]) => void;
  error: MeshworkError | null;
}

function Items({ side, items, change, error }: ItemsProps): JSX.Element {
  const { onboarding } = words;
  const offers = side === 'offers';
  const set = (at: number, part: Partial<Item>): void =>
    change(items.map((item, n) => (n === at ? { ...item, ...part } : item)));
  const add = (): void => change([...items, { ...BLANK, key: Math.max(...items.map(({ key }) => key)) + 1 }]);
  return (
    <fieldset class="side">
      <legend>{onboarding[side]}</legend>
      {items.map(({ key, headline, labels, amount }, at) => (
        <div key={key} class="item">
          <Field
            label={onboarding.itemTitle}
            name={`${side}.${at}.headline`}
            value={headline}
            onInput={(text) => set(at, { headline: text })}
            error={error}
            maxLength={140}
            required
          />
          <LabelsField
            label={onboarding.itemLabels}
            name={`${side}.${at}.labels`}
            chosen={labels}
            choose={(chosen) => set(at, { labels: chosen })}
            error={error}
            required
          />
          <Field
            label={offers ? onboarding.price : onboarding.budget}
            hint={onboarding.amountHint}
            name={`${side}.${at}.${offers ? 'price_cents' : 'budget_cents'}`}
            value={amount}
            onInput={(text) => set(at, { amount: text })}
            error={error}
            mode="decimal"
          />
          {items.length > 1 && (
            <Button
              label={headline.trim() === '' ? onboarding.removeBlank : onboarding.removeItem(headline)}
              onClick={() => change(items.filter((_, n) => n !== at))}
            >
              {onboarding.removeBlank}
            </Button>
          )}
        </div>
      ))}
      {items.length < ITEMS_MAX && <Button onClick={add}>{offers ? onboarding.addOffer : onboarding.addSeek}</Button>}
    </fieldset>
  );
}

const countriesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((each) => each !== '');

/** An entry as the service takes it. */
function stated({ headline, labels, amount }: Item): { headline: string; labels: string[]; cents: number | null } {
  return { headline: headline.trim(), labels: [...labels], cents: centsOf(amount) };
}

function IntakeForm({ onPublished }: { onPublished: (result: IntakeResult) => void }): JSX.Element {
  const { onboarding } = words;
  const intake = useAct('onboarding.intake');
  const [offers, setOffers] = useState<readonly Item[]>([{ ...BLANK, key: 0 }]);
  const [seeks, setSeeks] = useState<readonly Item[]>([{ ...BLANK, key: 0 }]);
  const [countries, setCountries] = useState('');
  const [remote, setRemote] = useState(true);
  const publish = async (): Promise<void> => {
    const result = await intake.run({
      offers: offers.map(stated).map(({ cents, ...rest }) => ({ ...rest, ...(cents && { price_cents: cents }) })),
      seeks: seeks.map(stated).map(({ cents, ...rest }) => ({ ...rest, ...(cents && { budget_cents: cents }) })),
      geo: { countries: countriesOf(countries), remote },
    });
    if (result) onPublished(result);
  };
  return (
    <Form onSubmit={publish}>
      <div class="sides">
        <Items side="offers" items={offers} change={setOffers} error={intake.error} />
        <Items side="seeks" items={seeks} change={setSeeks} error={intake.error} />
      </div>
      <Field
        label={onboarding.countries}
        name="geo"
        value={countries}
        onInput={setCountries}
        error={intake.error}
        maxLength={200}
      />
      <Check label={onboarding.remote} checked={remote} onChange={setRemote} />
      <Button main submit busy={intake.busy} disabled={![...offers, ...seeks].every(isWhole)}>
        {onboarding.publish}
      </Button>
      {intake.error && <Failure error={intake.error} />}
    </Form>
  );
}

type Status = Output<'onboarding.status'>;
type Step = Status['steps'][number];

function Deed({ id, told }: { id: Step['id']; told: (result: IntakeResult) => void }): JSX.Element | null {
  if (id === 'handle') return <NewAgent />;
  if (id === 'intake') return <IntakeForm onPublished={told} />;
  if (id !== 'verification') return null;
  return (
    <>
      <PhoneProof />
      <p>
        <Link href="/trust">{words.onboarding.otherProofs}</Link>
      </p>
    </>
  );
}

/** What is known of a step that is done. */
function doneWith(id: Step['id']): string | null {
  if (id === 'email') return account.value?.email ?? null;
  return id === 'handle' && agent.value !== undefined ? `@${agent.value}` : null;
}

interface StepCardProps {
  step: Step;
  at: number;
  open: boolean;
  begin: (() => void) | null;
  children: ComponentChildren;
}

function StepCard({ step: { id, done }, at, open, begin, children }: StepCardProps): JSX.Element {
  const { onboarding } = words;
  const known = done ? doneWith(id) : null;
  return (
    <li
      class={`card step${done ? ' done' : ''}${open ? ' open' : ''}`}
      id={id}
      aria-current={open ? 'step' : undefined}
    >
      <header>
        <span class="step-mark" aria-hidden="true">
          {done ? '✓' : count(at)}
        </span>
        <div>
          <h2>{onboarding.steps[id]}</h2>
          {done && (
            <p class="quiet">
              {onboarding.done}
              {known !== null && `: ${known}`}
            </p>
          )}
          {!done && !open && begin === null && <p class="quiet">{onboarding.later}</p>}
        </div>
        {!done && !open && begin !== null && <Button onClick={begin}>{onboarding.begin}</Button>}
      </header>
      {open && <div class="step-deed">{children}</div>}
    </li>
  );
}

function Activated(): JSX.Element {
  const { onboarding } = words;
  return (
    <section class="card arrived" role="status">
      <h2>{onboarding.activated}</h2>
      <p>{onboarding.activatedText}</p>
      <div class="buttons">
        <Link class="button main" href="/matches">
          {onboarding.seeMatches}
        </Link>
        <Link class="button" href="/keys">
          {onboarding.connect}
        </Link>
      </div>
    </section>
  );
}

/** What came of the intake; what it left incomplete is finished among the listings. */
function Found({ result: { listings, matches } }: { result: IntakeResult }): JSX.Element {
  const { onboarding } = words;
  const drafts = listings.filter(({ completeness }) => !completeness.complete);
  return (
    <p class="notice good" role="status">
      {onboarding.found(count(listings.length), count(matches.length))}{' '}
      {drafts.length > 0 && <Link href="/listings">{onboarding.drafts(count(drafts.length))}</Link>}
    </p>
  );
}

function Journey({ status }: { status: Status }): JSX.Element {
  const { onboarding } = words;
  const [wanted, setWanted] = useState<string>(location.hash.slice(1));
  const [result, setResult] = useState<IntakeResult | null>(null);
  const { steps, next_step, activated } = status;
  const named = steps.find(({ id, done }) => id === wanted && !done && (agent.value !== undefined || id === 'handle'));
  const open = named?.id ?? next_step;
  const done = steps.filter((step) => step.done).length;
  return (
    <>
      <p class="quiet">{onboarding.progress(count(done), count(steps.length))}</p>
      <progress class="progress" max={steps.length} value={done} aria-label={onboarding.title} />
      {activated && <Activated />}
      {result && <Found result={result} />}
      <ol class="journey">
        {steps.map((step, at) => (
          <StepCard
            key={step.id}
            step={step}
            at={at + 1}
            open={step.id === open}
            begin={agent.value === undefined ? null : () => setWanted(step.id)}
          >
            <Deed id={step.id} told={setResult} />
          </StepCard>
        ))}
      </ol>
    </>
  );
}

/** Getting started, up to activation. */
export function OnboardingScreen(): JSX.Element {
  const { onboarding } = words;
  const status = useRead('onboarding.status', {});
  return (
    <>
      <h1 tabIndex={-1}>{onboarding.title}</h1>
      <p>{onboarding.lead}</p>
      <Loaded of={status}>{(now) => <Journey status={now} />}</Loaded>
    </>
  );
}
