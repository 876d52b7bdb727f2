// Held listings, reported agents and odd payments, each to be approved or rejected.
import type { JSX } from 'preact';
import { Button } from '../../parts/button.tsx';
import { Agent, Badge, Facts, More, Section, Time } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, usePages } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Review = Extract<Output<'review.list'>, readonly unknown[]>[number];

function Item({ id, kind, reason, text, handle, listing, reporter_handle, created_at }: Review): JSX.Element {
  const { admin, common } = words;
  const decide = useAct('review.decide');
  return (
    <li class="card">
      <header>
        <h3 dir="auto">{listing?.headline ?? reason}</h3>
        <span>
          <Badge>{admin.kinds[kind]}</Badge> <Time at={created_at} />
        </span>
      </header>
      {listing && <p dir="auto">{listing.description}</p>}
      <Facts
        of={[
          [
            admin.why,
            <span key="why" dir="auto">
              {reason}
            </span>,
          ],
          [
            admin.words,
            <span key="words" dir="auto">
              {text === '' ? common.none : text}
            </span>,
          ],
          [admin.about, <Agent key="about" handle={handle} />],
          ...(reporter_handle === null
            ? []
            : [[admin.reportedBy, <Agent key="by" handle={reporter_handle} />] as const]),
        ]}
      />
      <div class="buttons">
        <Button main busy={decide.busy} onClick={() => decide.run({ id, approve: true })}>
          {admin.approve}
        </Button>
        <Button danger busy={decide.busy} onClick={() => decide.run({ id, approve: false })}>
          {admin.reject}
        </Button>
      </div>
      {decide.error && <Failure error={decide.error} />}
    </li>
  );
}

/** Those that are open, newest first. */
export function ReviewsPart(): JSX.Element {
  const { admin } = words;
  const reviews = usePages('review.list', {});
  return (
    <Section title={admin.reviews}>
      <Loaded of={reviews}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={admin.reviewsNone} />
          ) : (
            <>
              <ul class="plain">
                {pages.items.map((review) => (
                  <Item key={review.id} {...review} />
                ))}
              </ul>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
