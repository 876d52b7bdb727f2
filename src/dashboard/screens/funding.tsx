// Funding: the payment processor's page takes the payment and returns to the wallet, which continues to the page of origin.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Redirect, useSearchParams } from 'wouter-preact';
import { Button } from '../parts/button.tsx';
import { Field, Form } from '../parts/field.tsx';
import { centsOf, dollarsOf, money } from '../parts/format.ts';
import { Section } from '../parts/show.tsx';
import { Failure } from '../parts/states.tsx';
import { type Act, useAct } from '../resource.ts';
import { words } from '../words/words.ts';

/** The page of origin; only a path of this app is stored here. */
const RETURN = 'meshwork-return';

async function payIn(fund: Act<'funding.start'>, amount_cents: number, back: string | null): Promise<void> {
  const started = await fund.run({ amount_cents });
  if (!started) return;
  if (back === null) sessionStorage.removeItem(RETURN);
  else sessionStorage.setItem(RETURN, back);
  location.assign(started.checkout_url);
}

/** Redirects to the page of origin after the processor's page; otherwise nothing. */
export function Returned(): JSX.Element | null {
  const [back] = useState(() => sessionStorage.getItem(RETURN));
  if (back === null || !/^\/(?!\/)/.test(back)) return null;
  sessionStorage.removeItem(RETURN);
  return <Redirect to={back} replace />;
}

/** Redirects to the payment processor's page, which returns here. */
export function Fund(): JSX.Element {
  const { wallet: text } = words;
  const fund = useAct('funding.start');
  const [asked] = useSearchParams();
  const lacking = Number(asked.get('amount_cents'));
  const [amount, setAmount] = useState(lacking > 0 ? dollarsOf(lacking) : '');
  const cents = centsOf(amount);
  return (
    <Section title={text.fund}>
      <Form onSubmit={() => cents !== null && payIn(fund, cents, asked.get('back'))}>
        <Field
          label={text.fundAmount}
          name="amount_cents"
          value={amount}
          onInput={setAmount}
          mode="decimal"
          error={fund.error}
          required
        />
        <Button main submit busy={fund.busy} disabled={cents === null}>
          {text.fundGo}
        </Button>
      </Form>
      {fund.error && <Failure error={fund.error} />}
    </Section>
  );
}

/** Funds the missing amount and returns to `back`. */
export function AddMoney({ cents, back }: { cents: number; back: string }): JSX.Element {
  const { room } = words;
  const fund = useAct('funding.start');
  return (
    <>
      <p class="quiet">{room.addWhy}</p>
      <Button main busy={fund.busy} onClick={() => payIn(fund, cents, back)}>
        {room.addMoney(money(cents))}
      </Button>
      {fund.error && <Failure error={fund.error} />}
    </>
  );
}
