// Adding money: the payment processor's own page takes it, and leads back to the wallet, from where one is led on to where one came from.
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

/** Where to go from the processor's page; only a path of this app is kept here. */
const RETURN = 'meshwork-return';

async function payIn(fund: Act<'funding.start'>, amount_cents: number, back: string | null): Promise<void> {
  const started = await fund.run({ amount_cents });
  if (!started) return;
  if (back === null) sessionStorage.removeItem(RETURN);
  else sessionStorage.setItem(RETURN, back);
  location.assign(started.checkout_url);
}

/** Leads on whoever comes from the processor's page; nothing for anybody else. */
export function Returned(): JSX.Element | null {
  const [back] = useState(() => sessionStorage.getItem(RETURN));
  if (back === null || !/^\/(?!\/)/.test(back)) return null;
  sessionStorage.removeItem(RETURN);
  return <Redirect to={back} replace />;
}

/** Goes on at the payment processor's own page, which leads back here. */
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

/** Pays in what is short, and comes back to `back`. */
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
