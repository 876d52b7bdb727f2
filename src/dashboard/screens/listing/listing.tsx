// A listing of the acting agent: status, checks, editing and unpublishing; and a new one.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Button } from '../../parts/button.tsx';
import { SaveForm } from '../../parts/confirm.tsx';
import { Check, Form } from '../../parts/field.tsx';
import { Missing } from '../../parts/missing.tsx';
import { Section, Time } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { toldInWords } from '../../words/refusal.ts';
import { words } from '../../words/words.ts';
import { ListingBadges, priceText } from '../listings.tsx';
import { BLANK, changeOf, draftOf, hasAmount, inputOf, type OwnListing } from './draft.ts';
import { ListingFields } from './form.tsx';
import { Gates, Lacks, ListingDeeds } from './gates.tsx';
import { GoalsPart } from './goals.tsx';
import { PreviewPart } from './preview.tsx';

// Explains a listing's matches; on demand only, since it evaluates all candidates again.

/** Requests and displays what prevents more matches. */
function ExplainPart({ id }: { id: string }): JSX.Element {
  const { listings } = words;
  const { run, busy, error } = useAct('match.explain', { quiet: true });
  const [told, setTold] = useState<Output<'match.explain'> | null>(null);
  const ask = async (): Promise<void> => setTold(await run({ listing_id: id }));
  return (
    <>
      <Section title={listings.explain}>
        <p class="quiet">{listings.explainWhy}</p>
        <div class="buttons">
          <Button busy={busy} onClick={ask}>
            {listings.explainGo}
          </Button>
        </div>
        {told !== null && told.note !== null && (
          <p class="notice" role="status">
            {toldInWords(told.note, words.refusals)}
          </p>
        )}
        {error && <Failure error={error} />}
      </Section>
      {told !== null && told.note === null && <Missing of={told} />}
    </>
  );
}

function Deeds({ own }: { own: OwnListing }): JSX.Element {
  const { listings } = words;
  const [, go] = useLocation();
  return (
    <ListingDeeds own={own} gone={() => go('/listings')}>
      {own.status === 'live' && (
        <Link class="button" href="/matches">
          {listings.seeMatches}
        </Link>
      )}
    </ListingDeeds>
  );
}

function State({ own }: { own: OwnListing }): JSX.Element {
  const { listings } = words;
  const verify = useAct('listing.verify');
  const measured = Object.entries(own.verified_attributes);
  return (
    <Section title={listings.state}>
      <p class="marks">
        <ListingBadges of={own} />
        <strong>{priceText(own)}</strong>
        <span class="quiet">
          {listings.changed} <Time at={own.updated_at} />
        </span>
      </p>
      <Lacks of={own.completeness} />
      <h3>{listings.gates}</h3>
      <Gates of={own.gate_report ?? []} />
      {measured.length > 0 && (
        <>
          <h3>{listings.measured}</h3>
          <ul class="told">
            {measured.map(([name, value]) => (
              <li key={name}>
                <span class="quiet">{name.replaceAll('_', ' ')}:</span> {String(value)}
              </li>
            ))}
          </ul>
        </>
      )}
      {own.gate_status !== 'passed' && (
        <div class="buttons">
          <Button busy={verify.busy} onClick={() => verify.run({ cardId: own.id })}>
            {listings.checkAgain}
          </Button>
        </div>
      )}
      {verify.error && <Failure error={verify.error} />}
      <Deeds own={own} />
    </Section>
  );
}

function Edit({ own }: { own: OwnListing }): JSX.Element {
  const { listings } = words;
  const update = useAct('listing.update');
  const [draft, setDraft] = useState(() => draftOf(own));
  return (
    <div class="beside">
      <Section title={listings.edit}>
        <SaveForm save={() => update.run(changeOf(own, draft))} act={update} disabled={!hasAmount(draft)}>
          <ListingFields draft={draft} change={setDraft} error={update.error} />
        </SaveForm>
      </Section>
      <PreviewPart draft={draft} />
    </div>
  );
}

/** The listing in the URL. */
export function ListingScreen({ params: { id = '' } }: { params: { id?: string | undefined } }): JSX.Element {
  const { listings } = words;
  const read = useRead('listing.read', { cardId: id });
  const title = read.state === 'ready' ? read.value.headline : '';
  return (
    <>
      <h1 tabIndex={-1}>{title === '' ? listings.untitled : title}</h1>
      <Loaded of={read}>
        {(own) => (
          <>
            <State own={own} />
            <Edit key={own.id} own={own} />
            <GoalsPart key={`goals ${own.id}`} id={own.id} />
            {own.status === 'live' && <ExplainPart id={own.id} />}
          </>
        )}
      </Loaded>
    </>
  );
}

/** A new listing with a preview of its matches. */
export function NewListingScreen(): JSX.Element {
  const { listings } = words;
  const create = useAct('listing.create');
  const [draft, setDraft] = useState(BLANK);
  const [active, setActive] = useState(true);
  const [, go] = useLocation();
  const make = async (): Promise<void> => {
    const made = await create.run({ ...inputOf(draft), active });
    if (made) go(`/listings/${made.id}`);
  };
  return (
    <>
      <h1 tabIndex={-1}>{listings.make}</h1>
      <div class="beside">
        <section class="card" aria-label={listings.make}>
          <Form onSubmit={make}>
            <ListingFields draft={draft} change={setDraft} error={create.error} />
            <Check label={listings.publishNow} checked={active} onChange={setActive} />
            <Button main submit busy={create.busy} disabled={!hasAmount(draft)}>
              {listings.create}
            </Button>
            {create.error && <Failure error={create.error} />}
            {create.error?.code === 'verification_required' && (
              <p>
                <Link href="/onboarding#verification">{words.agents.verify}</Link>
              </p>
            )}
          </Form>
        </section>
        <PreviewPart draft={draft} />
      </div>
    </>
  );
}
