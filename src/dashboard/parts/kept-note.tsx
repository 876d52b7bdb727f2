// Where a letter or text message is that this server did not send. It shows nobody what it says.
import type { JSX } from 'preact';
import { words } from '../words/words.ts';

/** What rests in the outbox, as the page was told. */
const kept = document.querySelector('meta[name="meshwork-outbox"]')?.getAttribute('content')?.split(' ') ?? [];

/** Shown where a code was asked for; `to` are the addresses, or the number. */
export function KeptNote({ what, to }: { what: 'mail' | 'text'; to: readonly string[] }): JSX.Element | null {
  if (!kept.includes(what)) return null;
  const { common } = words;
  return (
    <>
      {to.map((address) => (
        <p key={address} class="quiet">
          {what === 'mail' ? common.keptMail(address) : common.keptText(address)}
        </p>
      ))}
    </>
  );
}
