// Small parts of all screens: times, money, agent names, facts, paged lists.
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { errorOf, type Pages, useRead } from '../resource.ts';
import { words } from '../words/words.ts';
import { Avatar } from './avatar.tsx';
import { Button } from './button.tsx';
import { away, count, dateTime, feePercent, listed, money, percent as share } from './format.ts';
import { Failure } from './states.tsx';

/** A relative time; hovering shows the exact one. */
export function Time({ at, exact }: { at: string; exact?: boolean }): JSX.Element {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {exact ? dateTime(at) : away(at)}
    </time>
  );
}

/** An amount; with `signed`, incoming amounts have a plus. */
export function Money({ cents, signed }: { cents: number; signed?: boolean }): JSX.Element {
  return (
    <span class={signed && cents > 0 ? 'money in' : 'money'}>
      {signed && cents > 0 ? `+${money(cents)}` : money(cents)}
    </span>
  );
}

export function Agent({ handle }: { handle: string | null }): JSX.Element {
  return handle === null ? (
    <span class="quiet">{words.common.none}</span>
  ) : (
    <Link class="agent" href={`/people/${handle}`}>
      <Avatar handle={handle} />@{handle}
    </Link>
  );
}

/** A link to a URL that another party wrote; it opens in a new window without opener or referrer. A URL other than http(s) is
 * displayed as text. */
export function Outside({ url, name = url }: { url: string; name?: string }): JSX.Element {
  return /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {name}
    </a>
  ) : (
    <span>{name}</span>
  );
}

/** A status in one word. */
export function Badge({
  children,
  tone = 'plain',
}: {
  children: ComponentChildren;
  tone?: 'plain' | 'good' | 'bad' | 'wait';
}): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Facts by name. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A section of a screen under a heading. */
export function Section({
  title,
  children,
  aside,
}: {
  title: string;
  children: ComponentChildren;
  aside?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Loads a list's next page at its end, or in a reversed list at its beginning. */
export function More<T>({ of, label }: { of: Pages<T>; label?: string }): JSX.Element | null {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const { more } = of;
  if (more === null) return null;
  const load = async (): Promise<void> => {
    setState({ busy: true, error: null });
    await more().then(
      () => setState({ busy: false, error: null }),
      (error) => setState({ busy: false, error }),
    );
  };
  return (
    <div class="more">
      {state.error !== null && <Failure error={errorOf(state.error)} />}
      <Button busy={state.busy} onClick={load}>
        {label ?? words.common.more}
      </Button>
    </div>
  );
}

// Responsive tables: on narrow screens each row is a card, and each cell names its column.

/** A column: name, cell content, and whether cells are numeric. */
interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly figure?: boolean;
}

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
}

export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>): JSX.Element {
  return (
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, figure }) => (
            <th key={name} scope="col" class={figure ? 'figure' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, cell, figure }) => (
              <td key={name} data-name={name} class={figure ? 'figure' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// A timeline of past events and due dates, with the present between them.

export interface Moment {
  readonly at: string;
  readonly text: ComponentChildren;
}

/** The entries in order; future ones are marked. */
export function Timeline({ of, now_ms = Date.now() }: { of: readonly Moment[]; now_ms?: number }): JSX.Element {
  const order = of.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <ol class="timeline">
      {order.map(({ at, text }, n) => (
        // Entries may be identical, so the index is part of the key.
        <li key={`${at} ${n}`} class={Date.parse(at) > now_ms ? 'ahead' : undefined}>
          <span dir="auto">{text}</span> <Time at={at} />
        </li>
      ))}
    </ol>
  );
}

// A segmented control: a choice between a few views.

interface SegmentsProps<V extends string> {
  label: string;
  value: V;
  options: readonly (readonly [value: V, text: string])[];
  onChange: (value: V) => void;
}

export function Segments<V extends string>({ label, value, options, onChange }: SegmentsProps<V>): JSX.Element {
  return (
    <fieldset class="segments" aria-label={label}>
      {options.map(([each, text]) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}

// A match score as a ring and a number.

const RADIUS = 20;
const AROUND = 2 * Math.PI * RADIUS;

/** The ring, filled to the score of 100. */
export function Score({ percent }: { percent: number }): JSX.Element {
  const { matches } = words;
  const filled = (AROUND * percent) / 100;
  return (
    <svg class="score" viewBox="0 0 48 48" role="img" aria-label={matches.fit(count(percent))}>
      <circle class="score-rest" cx="24" cy="24" r={RADIUS} />
      <circle
        class="score-part"
        cx="24"
        cy="24"
        r={RADIUS}
        stroke-dasharray={`${filled} ${AROUND}`}
        transform="rotate(-90 24 24)"
      />
      <text x="24" y="28.5">
        {share(percent / 100).replace(/\s/, '')}
      </text>
    </svg>
  );
}

// A single choice as chips.

interface ChipsProps<V extends string> {
  label: string;
  value: V;
  options: readonly (readonly [value: V, text: string])[];
  onChange: (value: V) => void;
}

export function Chips<V extends string>({ label, value, options, onChange }: ChipsProps<V>): JSX.Element {
  return (
    <ul class="chips categories" aria-label={label}>
      {options.map(([each, text]) => (
        <li key={each}>
          <button type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

// A payment's gross, fee and net from the reader's side: the same before and after payment, on pages, in dialogs and tables.

/** The reader's side; `either` in lists of both. */
type Side = 'buyer' | 'seller' | 'either';

interface Sum {
  /** What the buyer pays. */
  readonly amount_cents: number;
  /** Both are absent or null when there is no fee or it is not known yet. */
  readonly fee_cents?: number | null | undefined;
  /** What the seller receives. */
  readonly net_cents?: number | null | undefined;
}

export interface SumsProps extends Sum {
  /** What the buyer got back; displayed when there is any. */
  readonly refunded_cents?: number | undefined;
  /** `buyer` by default. */
  readonly side?: Side | undefined;
  /** The receiver's handle. */
  readonly to?: string | undefined;
}

const PARTS = ['gross', 'fee', 'net'] as const;

/** The parts as text. A seller's fee is a deduction; for the buyer the fee is included in the price. */
function partsOf({ amount_cents, fee_cents, net_cents }: Sum, side: Side): Record<(typeof PARTS)[number], string> {
  const fee = fee_cents ?? 0;
  return {
    gross: money(amount_cents),
    fee: money(side === 'seller' ? 0 - fee : fee),
    net: money(net_cents ?? amount_cents),
  };
}

/** Gross, refund, fee, net and receiver, as far as known. */
export function Sums({ side = 'buyer', to, refunded_cents = 0, ...sum }: SumsProps): JSX.Element {
  const { [side]: names, amount, to: goesTo } = words.sums;
  const parts = partsOf(sum, side);
  const known = typeof sum.fee_cents === 'number' && typeof sum.net_cents === 'number';
  const facts = known ? PARTS.map((part) => [names[part], parts[part]] as const) : [[amount, parts.gross] as const];
  if (refunded_cents > 0)
    facts.splice(1, 0, [names.refunded, money(side === 'seller' ? 0 - refunded_cents : refunded_cents)]);
  return <Facts of={to === undefined ? facts : [...facts, [goesTo, `@${to}`]]} />;
}

/** The same as columns of a table. */
export function sumColumns<T>(sumOf: (row: T) => Sum, side: Side): readonly Column<T>[] {
  const names = words.sums[side];
  return PARTS.map((part) => ({ name: names[part], figure: true, cell: (row) => partsOf(sumOf(row), side)[part] }));
}

// The service's fee on a price, by the seller's plan; displayed next to prices.

export function PlanFees(): JSX.Element | null {
  const plans = useRead('billing.plans', {});
  if (plans.state !== 'ready') return null;
  const { sums } = words;
  const fees = plans.value.map(({ name, outcome_fee_bps }) => sums.planFee(feePercent(outcome_fee_bps), name));
  return <p class="quiet">{sums.byPlan(listed(fees))}</p>;
}
