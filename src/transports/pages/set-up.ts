// The page of the link that the server prints while it has no administrator: whoever holds it says which address administers, and then
// signs in with that address like everybody else. What still has to be set up is told there.
import { answered, appPath, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';

function askPage({ token_field }: PageVisit, email: string, problem: string | null): Page {
  const said = problem === null ? html`` : html`<p class="error" id="problem" role="alert">${problem}</p>`;
  const marked = problem === null ? html`` : html` aria-invalid="true" aria-describedby="problem"`;
  return {
    title: problem === null ? 'Set up this server' : 'Set up this server: a mistake',
    ...(problem !== null && { status: 400 }),
    body: html`<h1>Set up this server</h1><p>Say which mail address administers it. This link does so once; you sign in with a code afterwards.</p>${said}<form method="post">${token_field}<label for="email">Email address</label><input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${email}" required autofocus${marked}><button class="main">Make it the administrator</button></form>`,
  };
}

/** What an administrator meets first: where codes go, and how others reach the server. */
function nextSteps({ base_url }: PagePorts['settings']): Html {
  return html`<dl><dt>Your code</dt><dd>comes by mail; without a mail server (SMTP_URL) it rests in DATA_DIR/outbox</dd><dt>Others reach it at</dt><dd>${base_url} (BASE_URL)</dd></dl>`;
}

function donePage(app: string, email: string, settings: PagePorts['settings']): Page {
  const to = `${app}/login?next=${encodeURIComponent(`${app}/admin`)}`;
  return {
    title: 'It is set up',
    body: html`<h1 role="status">It is set up</h1><p><strong>${email}</strong> administers this server.</p>${nextSteps(settings)}<nav aria-label="What next"><a class="button main" href="${to}">Sign in</a></nav>`,
  };
}

/** The page. */
export function setUpPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/setup/{token}`,
    get: async (visit) => askPage(visit, '', null),
    post: async (visit) => {
      const { email = '' } = visit.form;
      const token = visit.params['token'] ?? '';
      const made = answered<{ email: string }>(await visit.ask('admin.set_up', { token, email }));
      if (!('refusal' in made)) return donePage(app, made.email, settings);
      const { refusal } = made;
      return refusal.fault === 'invalid_request'
        ? askPage(visit, email, 'That is no mail address. Write one as in ann@example.com.')
        : refusalPage(refusal, visit.request_id);
    },
  };
}
