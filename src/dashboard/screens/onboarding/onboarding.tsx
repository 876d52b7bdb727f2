// Onboarding: handle, offers and needs, and verification. All steps are on this page; the next one is open, and the URL may open
// another (`#intake`).
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../../parts/button.tsx';
import { count } from '../../parts/format.ts';
import { NewAgent } from '../../parts/new-agent.tsx';
import { PhoneProof } from '../../parts/phone-proof.tsx';
import { FoundList } from '../../parts/preview.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { type Act, useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { account, agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { IntakeForms, type Told } from './intake.tsx';

type Status = Output<'onboarding.status'>;
type Step = Status['steps'][number];

interface DeedProps {
  id: Step['id'];
  verified: boolean;
  told: (result: Told) => void;
  onProved: () => unknown;
}

function Deed({ id, verified, told, onProved }: DeedProps): JSX.Element | null {
  if (id === 'handle') return <NewAgent />;
  if (id === 'intake') return <IntakeForms verified={verified} told={told} />;
  if (id !== 'verification') return null;
  return (
    <>
      <PhoneProof onProved={onProved} />
      <p>
        <Link href="/trust">{words.onboarding.otherProofs}</Link>
      </p>
    </>
  );
}

/** A summary of a completed step. */
function doneWith(id: Step['id']): string | null {
  if (id === 'email') return account.value?.email ?? null;
  return id === 'handle' && agent.value !== undefined ? `@${agent.value}` : null;
}

interface StepCardProps {
  step: Step;
  at: number;
  open: boolean;
  note: string | null;
  begin: (() => void) | null;
  children: ComponentChildren;
}

function StepCard({ step: { id, done }, at, open, note, begin, children }: StepCardProps): JSX.Element {
  const { onboarding } = words;
  const known = done ? doneWith(id) : null;
  return (
    <li
      class={`card step${done || note !== null ? ' done' : ''}${open ? ' open' : ''}`}
      id={id}
      aria-current={open ? 'step' : undefined}
    >
      <header>
        <span class="step-mark" aria-hidden="true">
          {done || note !== null ? '✓' : count(at)}
        </span>
        <div>
          <h2>{onboarding.steps[id]}</h2>
          {done && (
            <p class="quiet">
              {onboarding.done}
              {known !== null && `: ${known}`}
            </p>
          )}
          {!open && note !== null && <p class="quiet">{note}</p>}
          {!done && !open && begin === null && <p class="quiet">{onboarding.later}</p>}
        </div>
        {!done && !open && begin !== null && (
          <Button onClick={begin}>{note === null ? onboarding.begin : onboarding.addSide}</Button>
        )}
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

/** Number of displayed first matches. */
const FIRST_MAX = 3;

/** Whether this server sends no mail: a trial, perhaps with a single user. */
const tried =
  document.querySelector('meta[name="meshwork-outbox"]')?.getAttribute('content')?.includes('mail') === true;

/** The intake's outcome; incomplete listings are completed on the listings page. */
function Found({ result: { listings, matches }, waits }: { result: Told; waits: boolean }): JSX.Element {
  const { onboarding } = words;
  const drafts = listings.filter(({ completeness }) => !completeness.complete);
  return (
    <div class="notice good" role="status">
      <p>
        {waits ? onboarding.saidOne : onboarding.found(count(listings.length), count(matches.length))}{' '}
        {drafts.length > 0 && <Link href="/listings">{onboarding.drafts(count(drafts.length))}</Link>}
      </p>
      <FoundList of={matches.slice(0, FIRST_MAX)} />
      {!waits && matches.length === 0 && (
        <p class="quiet">
          {onboarding.liveNone} {tried && onboarding.demo}
        </p>
      )}
    </div>
  );
}

type Own = Output<'listing.mine'>;

interface Held {
  readonly said: boolean;
  readonly held: Own;
  readonly publish: () => Promise<void>;
  readonly update: Act<'listing.update'>;
  /** Reads them again. */
  readonly again: () => void;
}

/** One-sided listings that waited for verification, and their publication. */
function useHeld(): Held {
  const own = useRead('listing.mine', agent.value === undefined ? null : {});
  const update = useAct('listing.update');
  const all = own.state === 'ready' ? own.value : [];
  const held = all.filter(({ status, completeness }) => status === 'inactive' && completeness.complete);
  const publish = async (): Promise<void> => {
    for (const { id } of held) await update.run({ cardId: id, active: true });
  };
  return { said: all.length > 0, held, publish, update, again: own.retry };
}

/** After verification: waiting listings that were not published. */
function StillHeld({ of: { publish, update } }: { of: Held }): JSX.Element {
  return (
    <p>
      <Button main busy={update.busy} onClick={publish}>
        {words.onboarding.heldPublish}
      </Button>
      {update.error && <Failure error={update.error} />}
    </p>
  );
}

/** The open step: the requested one, else the next; after a one-sided intake, verification. */
function openStep({ steps, next_step }: Status, wanted: string, saidOne: boolean): Step['id'] | null {
  const named = steps.find(({ id, done }) => id === wanted && !done && (agent.value !== undefined || id === 'handle'));
  if (named) return named.id;
  if (next_step !== 'intake' || !saidOne) return next_step;
  return steps.find(({ id, done }) => id === 'verification' && !done)?.id ?? null;
}

function Journey({ status }: { status: Status }): JSX.Element {
  const { onboarding } = words;
  const [wanted, setWanted] = useState<string>(location.hash.slice(1));
  const [result, setResult] = useState<Told | null>(null);
  const waiting = useHeld();
  const top = useRef<HTMLParagraphElement>(null);
  const { steps, activated } = status;
  const isDone = (id: Step['id']): boolean => steps.some((step) => step.id === id && step.done);
  const verified = isDone('verification');
  const saidOne = waiting.said && !isDone('intake');
  const open = openStep(status, wanted, saidOne);
  // An intake of one side is complete for agents that only sell or only buy.
  const done = steps.filter((step) => step.done || (step.id === 'intake' && saidOne)).length;
  const waits = !verified && result?.listings.some(({ status: now }) => now === 'inactive') === true;
  const told = (made: Told): void => {
    setResult(made);
    setWanted('');
    waiting.again();
    top.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <p class="quiet" ref={top}>
        {onboarding.progress(count(done), count(steps.length))}
      </p>
      <progress class="progress" max={steps.length} value={done} aria-label={onboarding.title} />
      {(activated || (verified && saidOne)) && <Activated />}
      {verified && saidOne && waiting.held.length > 0 && <StillHeld of={waiting} />}
      {result && (waits || result.listings.every(({ status: now }) => now !== 'inactive')) && (
        <Found result={result} waits={waits} />
      )}
      <ol class="journey">
        {steps.map((step, at) => (
          <StepCard
            key={step.id}
            step={step}
            at={at + 1}
            open={step.id === open}
            note={step.id === 'intake' && saidOne ? onboarding.otherSide : null}
            begin={agent.value === undefined ? null : () => setWanted(step.id)}
          >
            <Deed id={step.id} verified={verified} told={told} onProved={waiting.publish} />
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
