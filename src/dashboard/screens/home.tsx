// Home: what the person has to decide, the most urgent first, under what is left to do before the agent is matched at all.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { count } from '../parts/format.ts';
import { Section } from '../parts/show.tsx';
import { useRead } from '../resource.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';
import { ByKey } from './agent/limits.tsx';
import { Decisions } from './home/decisions.tsx';

/** What is left to do before the agent is matched with others. */
function NextStep(): JSX.Element | null {
  const status = useRead('onboarding.status', {});
  const { steps = [], next_step = null } = status.state === 'ready' ? status.value : {};
  // Who is verified and only sells, or only buys, has done all there is.
  const lastIsIntake = steps.every(({ id, done }) => done || id === 'intake');
  const own = useRead('listing.mine', lastIsIntake && next_step !== null ? {} : null);
  if (next_step === null || (lastIsIntake && (own.state !== 'ready' || own.value.length > 0))) return null;
  const { home, onboarding } = words;
  return (
    <Section title={home.onboarding}>
      {next_step === 'handle' && <p>{home.createAgentWhy}</p>}
      <p>
        <Link class="button main" href={`/onboarding#${next_step}`}>
          {onboarding.steps[next_step]}
        </Link>
      </p>
      <ol class="steps">
        {steps.map(({ id, done }) => (
          <li key={id} class={done ? 'done' : undefined}>
            {onboarding.steps[id]} {done && <span class="quiet">✓</span>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Bounds of the acting agent that a program set. */
function Bounds({ handle }: { handle: string }): JSX.Element | null {
  const own = useRead('agent.read', { handle });
  return own.state === 'ready' && 'bounds' in own.value ? <ByKey own={own.value} /> : null;
}

/** The way to all that asks for no decision. */
function Rest(): JSX.Element {
  const { home } = words;
  const unread = useRead('notification.unread', {});
  const left = unread.state === 'ready' ? unread.value.unread : 0;
  return (
    <p class="quiet">
      {home.rest}{' '}
      <Link href={left === 0 ? '/activity' : '/activity?show=notifications'}>
        {left === 0 ? home.toActivity : home.toUnread(count(left))}
      </Link>
    </p>
  );
}

export function HomeScreen(): JSX.Element {
  const { home } = words;
  return (
    <>
      <h1 tabIndex={-1}>{home.title}</h1>
      <NextStep />
      {agent.value !== undefined && (
        <>
          <Bounds handle={agent.value} />
          <h2>{home.waiting}</h2>
          <Decisions key={agent.value} />
          <Rest />
        </>
      )}
    </>
  );
}
