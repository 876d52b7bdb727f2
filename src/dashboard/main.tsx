// Where the app begins: who is signed in, then the screens.
import './style.css';
import './style-frame.css';
import './style-people.css';
import './style-money.css';
import './style-trust.css';
import './style-market.css';
import './style-deals.css';
import './style-developer.css';
import './style-home.css';

import { render } from 'preact';
import { sendLeft } from './answers.ts';
import { App } from './app.tsx';
import { keepFocus } from './focus.ts';
import { loadAll } from './later.tsx';
import { startLive } from './live.ts';
import { account, began_after, renewToken, signedOut } from './session.ts';
import { keepLanguage, setDocumentLanguage, words } from './words/words.ts';
import { startWorker } from './worker.ts';

const place = document.getElementById('app');

// A page out of the browser's memory may be of a session that ended, and has no stream any more.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  place?.replaceChildren();
  location.reload();
});

async function start(): Promise<void> {
  setDocumentLanguage();
  if (!(await renewToken())) return signedOut();
  if (!place || !account.value) return undefined;
  if (keepLanguage(account.value.language)) return location.reload();
  place.replaceChildren();
  render(<App />, place);
  keepFocus();
  startLive(account.value.id, began_after);
  void sendLeft().catch(() => {});
  startWorker();
  loadAll();
  return undefined;
}

start().catch(() => {
  const told = document.createElement('p');
  told.className = 'boot';
  told.setAttribute('role', 'alert');
  told.textContent = navigator.onLine ? words.failed.network : words.failed.offlineStart;
  const again = document.createElement('button');
  again.textContent = words.common.retry;
  again.addEventListener('click', () => location.reload());
  place?.replaceChildren(told, again);
});
