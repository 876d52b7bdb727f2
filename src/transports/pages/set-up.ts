// The page of the link that the server prints while it has no administrator: whoever holds it says which address administers, and then
// signs in with that address like everybody else. What still has to be set up is told there.
import { answered, appPath, type PagePorts, type PageRoute, type PageVisit } from './door.ts';
import { filled, type Html, html } from './html.ts';
import type { Page } from './page.ts';
import { refusalPage } from './refusal.ts';
import type { PageWords, Tongue } from './words.ts';

function askPage({ token_field, tongue }: PageVisit, email: string, problem: string | null): Page {
  const { mistake, signing_in } = tongue.words;
  const words = signing_in.set_up;
  const said = problem === null ? html`` : html`<p class="error" id="problem" role="alert">${problem}</p>`;
  const marked = problem === null ? html`` : html` aria-invalid="true" aria-describedby="problem"`;
  return {
    title: problem === null ? words.title : mistake(words.title),
    ...(problem !== null && { status: 400 }),
    body: html`<h1>${words.title}</h1><p>${words.lead}</p>${said}<form method="post">${token_field}<label for="email">${words.email}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${email}" required autofocus${marked}><button class="main">${words.button}</button></form>`,
  };
}

/** What an administrator meets first: where codes go, and how others reach the server. */
function nextSteps({ code, code_comes, reached }: PageWords['signing_in']['set_up'], base_url: string): Html {
  return html`<dl><dt>${code}</dt><dd>${code_comes}</dd><dt>${reached}</dt><dd>${base_url} (BASE_URL)</dd></dl>`;
}

function donePage(
  app: string,
  email: string,
  { base_url }: PagePorts['settings'],
  { words: { signing_in, what_next } }: Tongue,
): Page {
  const words = signing_in.set_up;
  const administers = filled(words.administers, html`<strong>${email}</strong>`);
  const to = `${app}/login?next=${encodeURIComponent(`${app}/admin`)}`;
  return {
    title: words.done,
    body: html`<h1 role="status">${words.done}</h1><p>${administers}</p>${nextSteps(words, base_url)}<nav aria-label="${what_next}"><a class="button main" href="${to}">${words.sign_in}</a></nav>`,
  };
}

export function setUpPage({ settings }: Pick<PagePorts, 'settings'>): PageRoute {
  const app = appPath(settings);
  return {
    path: `${app}/setup/{token}`,
    get: async (visit) => askPage(visit, '', null),
    post: async (visit) => {
      const { email = '' } = visit.form;
      const token = visit.params['token'] ?? '';
      const made = answered<{ email: string }>(await visit.ask('admin.set_up', { token, email }));
      if (!('refusal' in made)) return donePage(app, made.email, settings, visit.tongue);
      const { refusal } = made;
      return refusal.fault === 'invalid_request'
        ? askPage(visit, email, visit.tongue.words.signing_in.set_up.problem)
        : refusalPage(refusal, visit);
    },
  };
}
