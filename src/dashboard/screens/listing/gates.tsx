// What a listing lacks to go live, and what it has to prove.
import type { ComponentChildren, JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Yes } from '../../final.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Badge, Facts } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { toldInWords } from '../../words/refusal.ts';
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

/** The DNS record that proves a website, and what its look-up found. */
function RecordToPublish({ status, record, note, how }: Gate): JSX.Element {
  const { listings, trust, refusals } = words;
  if (record === undefined) return <span class="quiet">{typeof how === 'string' && toldInWords(how, refusals)}</span>;
  return (
    <>
      <p class="quiet">
        {status === 'failed' ? listings.recordGone : listings.record}{' '}
        {note !== undefined && toldInWords(note, refusals)}
      </p>
      <Facts
        of={[
          [trust.recordName, <code key="name">{record.name}</code>],
          [trust.recordValue, <code key="value">{record.value}</code>],
        ]}
      />
    </>
  );
}

/** What to do about a check. */
function How({ gate }: { gate: Gate }): ComponentChildren {
  const { listings, agents } = words;
  const { check, status, reason } = gate;
  if (status === 'passed') return null;
  if (check === 'agent_verified') return <Link href="/onboarding#verification">{agents.verify}</Link>;
  if (check === 'domain_verified') return <RecordToPublish {...gate} />;
  return <span class="quiet">{reason === undefined ? listings.reviewWaits : listings.reviewRefused(reason)}</span>;
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
          {listings.checks[gate.check] ?? gate.check} <How gate={gate} />
        </li>
      ))}
    </ul>
  );
}

// What can be done with a listing of one's own: out of sight and back, or away for good.

/** The buttons; `gone` leads away from a page that is about it alone. */
export function ListingDeeds({
  own,
  gone,
  children,
}: {
  own: OwnListing;
  gone?: () => void;
  children?: ComponentChildren;
}): JSX.Element {
  const { listings } = words;
  const update = useAct('listing.update');
  const remove = useAct('listing.delete', { quiet: gone !== undefined });
  const away = async (yes: Yes): Promise<void> => {
    if (await remove.run({ cardId: own.id }, yes)) gone?.();
  };
  const paused = own.status === 'inactive' || own.status === 'draft';
  return (
    <>
      <div class="buttons">
        {paused ? (
          <Button main busy={update.busy} onClick={() => update.run({ cardId: own.id, active: true })}>
            {listings.publish}
          </Button>
        ) : (
          <Button busy={update.busy} onClick={() => update.run({ cardId: own.id, active: false })}>
            {listings.pause}
          </Button>
        )}
        {children}
        <ConfirmButton danger busy={remove.busy} question={listings.removeAsk} onClick={away}>
          {listings.remove}
        </ConfirmButton>
      </div>
      {update.error && <Failure error={update.error} />}
      {remove.error && <Failure error={remove.error} />}
    </>
  );
}
