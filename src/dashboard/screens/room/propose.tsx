// Proposes an amount and what is agreed beside it to the other side, and displays the seller's net while the amount is typed.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import { takeFee } from '../../../domain/money/fee.ts';
import { ISSUE_NAMES, type Issue, type IssueName } from '../../../domain/negotiation/issue.ts';
import { useDraft } from '../../drafts.ts';
import { PLAN_NAMES } from '../../instance.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field, Form } from '../../parts/field.tsx';
import { centsOf, money } from '../../parts/format.ts';
import { IssueField, issueValue } from '../../parts/issue.tsx';
import { problemOf } from '../../parts/refused.ts';
import { PlanFees, Sums } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { Proposal } from '../approvals/proposal.ts';

const TERMS_MAX = 2_000;

/** Whether the only error is the unknown payer: the form then asks for it. */
function asksSide(error: MeshworkError | null): boolean {
  return error?.fields.length === 1 && problemOf(error, 'side') !== null;
}

type Side = 'buyer' | 'seller' | '';

/** Asks who pays, when not known otherwise. */
function SideChoice({ side, choose }: { side: Side; choose: (side: Side) => void }): JSX.Element {
  const { approvals } = words;
  return (
    <div role="status">
      <p class="notice">{approvals.sideWhy}</p>
      <Choice
        label={approvals.side}
        value={side}
        options={[
          ['', approvals.sideNone],
          ['buyer', approvals.sides.buyer],
          ['seller', approvals.sides.seller],
        ]}
        onChange={choose}
      />
    </div>
  );
}

/** The amount's fee and net: by the own plan when the reader is paid, by each plan when the other side is. */
function Net({ amount_cents, side }: { amount_cents: number | null; side: Side }): JSX.Element | null {
  const plans = useRead('billing.plans', {});
  const own = useRead('account.read', {});
  if (amount_cents === null || plans.state !== 'ready' || own.state !== 'ready') return <PlanFees />;
  const sums = plans.value.map(({ plan, outcome_fee_bps }) => ({ plan, ...takeFee(amount_cents, outcome_fee_bps) }));
  const mine = sums.find(({ plan }) => plan === own.value.plan);
  if (side === 'seller' && mine) {
    const { fee_cents, rest_cents: net_cents } = mine;
    return <Sums {...{ amount_cents, fee_cents, net_cents, side }} />;
  }
  const { room } = words;
  return (
    <p class="quiet" role="status">
      {sums.map(({ plan, rest_cents }) => room.gets(PLAN_NAMES[plan], money(rest_cents))).join(' ')}
    </p>
  );
}

type Texts = Readonly<Partial<Record<IssueName, string>>>;

interface Known {
  /** The reader's side; null when not known. */
  side: 'buyer' | 'seller' | null;
  /** The newest proposal of the conversation, whose issues are filled in. */
  last: Proposal | null;
  /** The reader's listing, whose goals name issues. */
  listing_id: string | null;
}

/** The issues of the form as text: as last proposed until the form is first typed in, then what stood there and was typed. */
function useIssues(id: string, { last, listing_id }: Known) {
  const goals = useRead('listing.goals', listing_id === null ? null : { cardId: listing_id });
  const [kept, keep] = useDraft(`${id} issues`);
  const [sent, setSent] = useState<readonly IssueName[]>([]);
  const typed: Texts | null = kept === '' ? null : JSON.parse(kept);
  const set = goals.state === 'ready' ? goals.value.goals : [];
  const named = set.map(({ issue }) => [issue, ''] as const);
  const said = last?.issues.map(({ issue, value }) => [issue, String(value)] as const) ?? [];
  const texts: Texts = { ...Object.fromEntries(named), ...(typed ?? Object.fromEntries(said)) };
  const shown = ISSUE_NAMES.filter((issue) => texts[issue] !== undefined);
  const filled = shown.filter((issue) => texts[issue]?.trim() !== '');
  return {
    texts,
    shown,
    left: ISSUE_NAMES.filter((issue) => !shown.includes(issue)),
    /** The input of the operation. */
    give: (): { issues?: Issue[] } => {
      setSent(filled);
      const issues = filled.map((issue): Issue => ({ issue, value: issueValue(issue, texts[issue] ?? '') }));
      return issues.length > 0 ? { issues } : {};
    },
    /** The place of an issue in what was sent. */
    placeOf: (issue: IssueName): string => `issues.${sent.includes(issue) ? sent.indexOf(issue) : issue}.value`,
    type: (issue: IssueName, text: string): void => keep(JSON.stringify({ ...texts, [issue]: text })),
    /** What the other side proposes from here on changes no field. */
    fix: (): void => {
      if (typed === null) keep(JSON.stringify(texts));
    },
    clear: (): void => keep(''),
  };
}

/** A draft whose input fixes the issues. */
function useFixing({ fix }: Pick<ReturnType<typeof useIssues>, 'fix'>, name: string): ReturnType<typeof useDraft> {
  const [text, set] = useDraft(name);
  const fixing = (next: string): void => {
    fix();
    set(next);
  };
  return [text, fixing];
}

/** The fields of the issues that are named, and a choice of the others. */
function Issues({ of, error }: { of: ReturnType<typeof useIssues>; error: MeshworkError | null }): JSX.Element {
  const { approvals, listings, room } = words;
  const names = listings.goals.issues;
  return (
    <>
      <div class="columns">
        {of.shown.map((issue) => (
          <IssueField
            key={issue}
            issue={issue}
            label={names[issue]}
            name={of.placeOf(issue)}
            value={of.texts[issue] ?? ''}
            onInput={(text) => of.type(issue, text)}
            error={error}
            none={room.notSaid}
          />
        ))}
      </div>
      {of.left.length > 0 && (
        <Choice<IssueName | ''>
          label={approvals.addTerm}
          value=""
          options={[['', approvals.sideNone], ...of.left.map((issue) => [issue, names[issue]] as const)]}
          onChange={(issue) => issue !== '' && of.type(issue, '')}
        />
      )}
    </>
  );
}

/** What was sent, or why it was not. */
function Outcome({ sent, error }: { sent: number | null; error: MeshworkError | null }): JSX.Element {
  return (
    <>
      <p role="status" class="quiet">
        {sent !== null && words.approvals.proposed(money(sent))}
      </p>
      {error && !asksSide(error) && <Failure error={error} />}
    </>
  );
}

/** An amount with its terms, put to the other side. */
export function Propose({ id, known }: { id: string; known: Known }): JSX.Element {
  const { approvals } = words;
  const { run, busy, error } = useAct('proposal.propose', { onRefused: (why) => asksSide(why) && setAsked(true) });
  const issues = useIssues(id, known);
  const [amount, setAmount] = useFixing(issues, `${id} amount`);
  const [terms, setTerms] = useFixing(issues, `${id} terms`);
  const [side, setSide] = useState<Side>('');
  const [asked, setAsked] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const amount_cents = centsOf(amount);
  const go = async (): Promise<void> => {
    setSent(null);
    if (amount_cents === null) return;
    const put = await run({
      conversation_id: id,
      amount_cents,
      ...(terms.trim() !== '' && { terms: terms.trim() }),
      ...issues.give(),
      ...(side !== '' && { side }),
    });
    if (!put) return;
    setSent(put.amount_cents);
    setAmount('');
    setTerms('');
    issues.clear();
  };
  return (
    <details class="card">
      <summary>{approvals.propose}</summary>
      <Form onSubmit={go}>
        <p class="quiet">{approvals.proposeWhy}</p>
        <Field
          label={approvals.dollars}
          name="amount_cents"
          value={amount}
          onInput={setAmount}
          mode="decimal"
          error={error}
          required
        />
        <Net amount_cents={amount_cents} side={known.side ?? side} />
        <Issues of={issues} error={error} />
        <Field
          label={approvals.for}
          name="terms"
          value={terms}
          onInput={setTerms}
          rows={3}
          maxLength={TERMS_MAX}
          error={error}
        />
        {asked && <SideChoice side={side} choose={setSide} />}
        <Button main submit busy={busy} disabled={amount_cents === null || (asked && side === '')}>
          {approvals.proposeGo}
        </Button>
        <Outcome sent={sent} error={error} />
      </Form>
    </details>
  );
}
