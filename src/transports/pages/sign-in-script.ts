// The one script of the sign-in page; without it the page mails codes. The token of a mailed link stands behind the # of its address,
// which no server is sent and no log keeps; it is taken out of the address, so that no history keeps it either, and put into a
// form. A click sends that: what reads mail for people follows links, and does not click. Where the browser knows passkeys it
// offers them in the field for the address, and behind a button; their answer goes into a form too.

export const SIGN_IN_SCRIPT = `'use strict';
const found = /^#token=([\\w.-]{1,200})$/.exec(location.hash);
const mailed = document.getElementById('mailed');
const passkey = document.getElementById('passkey');
if (found && mailed) {
  history.replaceState(null, '', location.pathname + location.search);
  mailed.elements.namedItem('token').value = found[1];
  for (const other of document.querySelectorAll('main > form')) other.hidden = other !== mailed;
  mailed.querySelector('button').focus();
} else if (passkey && window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  offerPasskeys();
}

async function offerPasskeys() {
  const told = passkey.querySelector('[role=status]');
  // A challenge waits for five minutes; who comes back to the page later gets another one.
  const FRESH_MS = 240000;
  let asking = null;
  let asked_at = 0;
  const ask = async (mediation) => {
    asking?.abort();
    const mine = (asking = new AbortController());
    asked_at = Date.now();
    const answer = await fetch('/api/auth/session/passkey/options', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      signal: mine.signal,
    });
    if (!answer.ok) throw new Error('no challenge was given');
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json());
    const credential = await navigator.credentials.get({ publicKey, mediation, signal: mine.signal });
    passkey.elements.namedItem('credential').value = JSON.stringify(credential.toJSON());
    passkey.submit();
  };
  const offer = () => ask('conditional').catch(() => {});
  passkey.hidden = false;
  passkey.querySelector('button').addEventListener('click', () => {
    told.textContent = '';
    ask('optional').catch(() => {
      told.textContent = told.dataset.unused;
      asked_at = 0;
    });
  });
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  offer();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && Date.now() - asked_at > FRESH_MS) offer();
  });
}
`;
