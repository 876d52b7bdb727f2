// The first steps: a handle, what the agent offers and seeks, and a proof of who stands behind it. Each step is done here, the next
// one is open, and the address may name another (`#intake`).
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { agent } from '../acting.ts';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import { IntakeForm, type IntakeResult } from '../parts/intake-form.tsx';
import { NewAgent } from '../parts/new-agent.tsx';
import { PhoneProof } from '../parts/phone-proof.tsx';
import { Loaded } from '../parts/states.tsx';
import { useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { account } from '../session.ts';
import { words } from '../words/words.ts';

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
