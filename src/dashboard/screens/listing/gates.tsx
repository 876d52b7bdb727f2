// What a listing lacks to go live, and what it has to prove.
import type { ComponentChildren, JSX } from 'preact';
import { Link } from 'wouter-preact';
import { Badge } from '../../parts/show.tsx';
import { words } from '../../words/words.ts';
import type { OwnListing } from './draft.ts';

type Gate = NonNullable<OwnListing['gate_report']>[number];

/** The fields to fill before it can go live; nothing where it says enough. */
export function Lacks({ of: { missing } }: { of: OwnListing['completeness'] }): JSX.Element | null {
  const { listings } = words;
  if (missing.length === 0) return null;
  return (
    <p class="marks">
      <Badge tone="wait">{listings.missing}</Badge>
      <span>{missing.map((each) => listings.missings[each] ?? each).join(', ')}</span>
    </p>
  );
}

/** What to do about a check: a proof of the person is done here, the rest is told by the service. */
function howOf({ check, status, how }: Gate): ComponentChildren {
  if (status === 'passed') return null;
  if (check === 'agent_verified') return <Link href="/onboarding#verification">{words.agents.verify}</Link>;
  return <span class="quiet">{typeof how === 'string' ? how : null}</span>;
}

/** Each check and how it stands. */
export function Gates({ of }: { of: readonly Gate[] }): JSX.Element | null {
  const { listings } = words;
  if (of.length === 0) return null;
  return (
    <ul class="gates">
      {of.map((gate) => (
        <li key={gate.check}>
          <Badge tone={gate.status === 'passed' ? 'good' : gate.status === 'failed' ? 'bad' : 'wait'}>
            {listings.gateStatuses[gate.status]}
          </Badge>{' '}
          {listings.checks[gate.check] ?? gate.check} {howOf(gate)}
        </li>
      ))}
    </ul>
  );
}
