// The demand board: open requests, own requests, and a form to request quotes.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { MeshworkError } from '../../client/error.ts';
import { DAY_MS } from '../../domain/time.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field, Form, LabelsField } from '../parts/field.tsx';
import { centsOf, count } from '../parts/format.ts';
import { Agent, Money, More, Section, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, usePages } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { DemandState } from './demand/request.tsx';

type Detail = Extract<Output<'demand.mine'>, readonly unknown[]>[number];
type Days = keyof typeof words.demand.days & string;

const DAYS = ['1', '3', '7', '14', '30', '90'] as const satisfies readonly Days[];

/** The draft of a request. */
interface Draft {
  readonly headline: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly budget: string;
  readonly days: (typeof DAYS)[number];
}

const BLANK: Draft = { headline: '', description: '', labels: [], budget: '', days: '7' };

function Fields({
  draft,
  change,
  error,
}: {
  draft: Draft;
  change: (change: Partial<Draft>) => void;
  error: MeshworkError | null;
}): JSX.Element {
  const { demand } = words;
  const { headline, description, labels, budget, days } = draft;
  return (
    <>
      <Field
        label={demand.headline}
        name="headline"
        value={headline}
        onInput={(text) => change({ headline: text })}
        error={error}
        required
        maxLength={140}
      />
      <Field
        label={demand.description}
        name="description"
        value={description}
        onInput={(text) => change({ description: text })}
        error={error}
        rows={3}
        maxLength={5_000}
      />
      <LabelsField
        label={demand.labels}
        name="labels"
        chosen={labels}
        choose={(chosen) => change({ labels: chosen })}
        error={error}
        required
      />
      <Field
        label={demand.budget}
        name="budget_cents"
        value={budget}
        onInput={(text) => change({ budget: text })}
        mode="decimal"
        error={error}
        required
      />
      <Choice
        label={demand.closes}
        value={days}
        options={DAYS.map((each) => [each, demand.days[each]])}
        onChange={(chosen) => change({ days: chosen })}
      />
    </>
  );
}

function Ask(): JSX.Element {
  const { demand } = words;
  const { run, busy, error } = useAct('demand.post');
  const [draft, setDraft] = useState(BLANK);
  const [woken, setWoken] = useState<number | null>(null);
  const budget_cents = centsOf(draft.budget);
  const go = async (): Promise<void> => {
    if (budget_cents === null) return;
    const { headline, description, labels, days } = draft;
    const closes_at = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const posted = await run({ headline, description, labels: [...labels], budget_cents, closes_at });
    if (!posted) return;
    setWoken(posted.woken ?? 0);
    setDraft(BLANK);
  };
  return (
    <Section title={demand.ask}>
      <p class="quiet">{demand.askWhy}</p>
      <Form onSubmit={go}>
        <Fields draft={draft} change={(change) => setDraft({ ...draft, ...change })} error={error} />
        <Button main submit busy={busy} disabled={budget_cents === null || draft.labels.length === 0}>
          {demand.post}
        </Button>
      </Form>
      {woken !== null && !error && <p role="status">{demand.posted(count(woken))}</p>}
      {error && <Failure error={error} />}
    </Section>
  );
}

/** The parts of a request that both lists display. */
const title = ({ request_id, headline }: Pick<Detail, 'request_id' | 'headline'>): JSX.Element => (
  <Link href={`/demand/${request_id}`} dir="auto">
    {headline}
  </Link>
);

function Own(): JSX.Element | null {
  const { demand } = words;
  const list = usePages('demand.mine', { limit: 10 });
  return (
    <Section title={demand.own}>
      <Loaded of={list}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={demand.ownNone} />
          ) : (
            <>
              <Table
                caption={demand.own}
                rows={pages.items}
                keyOf={({ request_id }) => request_id}
                columns={[
                  { name: demand.what, cell: title },
                  { name: demand.state, cell: ({ status }) => <DemandState status={status} /> },
                  { name: demand.quotes, figure: true, cell: ({ quotes_count }) => count(quotes_count ?? 0) },
                  { name: demand.until, cell: ({ closes_at }) => <Time at={closes_at} /> },
                ]}
              />
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function Board(): JSX.Element {
  const { demand } = words;
  const list = usePages('demand.list', {});
  return (
    <Section title={demand.board}>
      <Loaded of={list}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={demand.boardNone} />
          ) : (
            <>
              <Table
                caption={demand.board}
                rows={pages.items}
                keyOf={({ request_id }) => request_id}
                columns={[
                  { name: demand.what, cell: title },
                  { name: demand.by, cell: ({ handle }) => <Agent handle={handle} /> },
                  { name: demand.most, figure: true, cell: ({ budget_cents }) => <Money cents={budget_cents} /> },
                  { name: demand.until, cell: ({ closes_at }) => <Time at={closes_at} /> },
                ]}
              />
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The board and own requests. */
export function DemandScreen(): JSX.Element {
  return (
    <>
      <h1 tabIndex={-1}>{words.demand.title}</h1>
      <Board />
      <Own />
      <Ask />
    </>
  );
}
