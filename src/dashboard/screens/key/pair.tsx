// An agent's Ed25519 key pair: it is made in the browser, and only the public key is sent.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { SIGNUP_SCOPES } from '../../../domain/identity/scope.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { download } from '../../parts/download.ts';
import { Facts, Section } from '../../parts/show.tsx';
import { Snippets } from '../../parts/snippet.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { tokenSnippets } from '../../snippets.ts';
import { words } from '../../words/words.ts';
import { Scopes } from './scopes.tsx';

/** A private key as a file holds it (RFC 8037). */
interface PrivateKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

async function newPair(): Promise<PrivateKey> {
  const { getPublicKeyAsync } = await import('@noble/ed25519');
  const secret = crypto.getRandomValues(new Uint8Array(32));
  return { kty: 'OKP', crv: 'Ed25519', x: base64url(await getPublicKeyAsync(secret)), d: base64url(secret) };
}

function Made({ handle, pair, fingerprint }: { handle: string; pair: PrivateKey; fingerprint: string }): JSX.Element {
  const { developer } = words;
  const file = `${handle}.key.json`;
  const text = JSON.stringify(pair, null, 2);
  return (
    <>
      <div class="notice" role="status">
        <p>{developer.pairKeep}</p>
        <pre>{text}</pre>
        <div class="buttons">
          <Button main onClick={() => download(file, 'application/json', text)}>
            {developer.pairFile}
          </Button>
        </div>
      </div>
      <Facts of={[[developer.fingerprint, <code key="is">{fingerprint}</code>]]} />
      <h3>{developer.pairToken}</h3>
      <Snippets label={developer.pairToken} of={tokenSnippets({ url: location.origin, handle, file })} />
    </>
  );
}

/** Makes and registers a key pair for the acting agent. */
export function KeyPair({ handle }: { handle: string }): JSX.Element {
  const { developer } = words;
  const register = useAct('keypair.register');
  const [scopes, setScopes] = useState<readonly string[]>(SIGNUP_SCOPES);
  const [lacking, setLacking] = useState(false);
  const [made, setMade] = useState<{ pair: PrivateKey; fingerprint: string } | null>(null);
  const make = async (): Promise<void> => {
    setLacking(scopes.length === 0);
    if (scopes.length === 0) return;
    const pair = await newPair();
    const registered = await register.run({ public_key: pair.x, scopes: [...scopes] });
    if (registered) setMade({ pair, fingerprint: registered.fingerprint });
  };
  return (
    <Section title={developer.pair}>
      <p>{developer.pairWhy(handle)}</p>
      <details open={lacking}>
        <summary>{developer.pairMay}</summary>
        <Scopes offered={SIGNUP_SCOPES} chosen={scopes} choose={setScopes} lacking={lacking} />
      </details>
      {made && <Made handle={handle} {...made} />}
      <ConfirmButton busy={register.busy} question={developer.pairAsk(handle)} onClick={make}>
        {developer.pairMake}
      </ConfirmButton>
      {register.error && <Failure error={register.error} />}
    </Section>
  );
}
