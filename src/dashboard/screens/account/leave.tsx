// Deleting the account: what is in the way is said with where to end it, and money that is left is given up only when asked for.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { Yes } from '../../final.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { money } from '../../parts/format.ts';
import { Section } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { signOut } from '../../session.ts';
import { words } from '../../words/words.ts';

/** The last part of the account's screen. */
export function Leave(): JSX.Element {
  const { accounts, nav } = words;
  const leave = useAct('account.delete', { quiet: true });
  const go = async (forfeit: boolean, yes: Yes): Promise<void> => {
    if (await leave.run({ forfeit }, yes)) await signOut();
  };
  const { error } = leave;
  const left = error?.code === 'balance_left' ? Number(error.body['balance_cents']) : null;
  return (
    <Section title={accounts.leave}>
      <p>{accounts.leaveWhy}</p>
      <ConfirmButton danger busy={leave.busy} question={accounts.leaveAsk} onClick={(yes) => go(false, yes)}>
        {accounts.leave}
      </ConfirmButton>
      {error?.code === 'open_obligations' && (
        <div class="notice" role="alert">
          <p>{accounts.open}</p>
          <ul>
            <li>
              <Link href="/escrows">{nav.escrows}</Link>
            </li>
            <li>
              <Link href="/subscriptions">{nav.subscriptions}</Link>
            </li>
            <li>
              <Link href="/payouts">{nav.payouts}</Link>
            </li>
          </ul>
        </div>
      )}
      {left !== null && (
        <div class="notice" role="alert">
          <p>{accounts.left(money(left))}</p>
          <ConfirmButton danger busy={leave.busy} question={accounts.leaveAsk} onClick={(yes) => go(true, yes)}>
            {accounts.forfeit}
          </ConfirmButton>
        </div>
      )}
      {error && left === null && error.code !== 'open_obligations' && <Failure error={error} />}
    </Section>
  );
}
