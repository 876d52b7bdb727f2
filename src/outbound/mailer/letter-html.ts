// A letter's HTML part, limited to what mail programs support in common. No images or remote content; styles are inline, and dark
// mode is in one stylesheet, which some programs ignore.
import { type Instance, NAME, withName } from '../../domain/instance.ts';
import { DARK as DIM, LIGHT, lookOf } from '../../domain/look.ts';
import { escapeHtml } from '../../domain/text/escape-html.ts';

/** A paragraph of a letter: a catalogue sentence, or a typed part. */
export type Paragraph =
  | string
  /** To be copied, so alone on its line. */
  | { readonly code: string }
  /** A caller's text or URL. */
  | { readonly theirs: string }
  /** An action and its URL. */
  | { readonly say: string; readonly url: string; readonly button: string }
  /** An event: title, text and URL. */
  | { readonly title: string; readonly body: string; readonly url: string | null };

/** Escapes text for HTML and removes control characters. */
const escaped = (text: string): string => escapeHtml(text).replaceAll(/[^\P{Cc}\n\t]/gu, '');

const lined = (text: string): string => escaped(text).replaceAll('\n', '<br>\n');

/** Placeholders of the accent colours, light and dark: letters are composed before the instance is known. */
const [ACCENT, ON_ACCENT, DARK_ACCENT, ON_DARK_ACCENT] = ['\ue0f0', '\ue0f1', '\ue0f2', '\ue0f3'] as const;

/** A letter in the name and colour of the service. */
export function dressed(html: string, { name, color }: Pick<Instance, 'name' | 'color'>): string {
  const { light, dark } = lookOf(color);
  const coloured = html
    .replaceAll(ACCENT, light.accent)
    .replaceAll(ON_ACCENT, light['on-accent'])
    .replaceAll(DARK_ACCENT, dark.accent)
    .replaceAll(ON_DARK_ACCENT, dark['on-accent']);
  return withName(coloured, escaped(name));
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const P = 'margin:0 0 16px;overflow-wrap:anywhere';
const THEIRS = `margin:0 0 16px;padding:2px 0 2px 12px;border-left:3px solid ${LIGHT.edge};overflow-wrap:anywhere`;
const BUTTON = `display:inline-block;background:${ACCENT};border:solid ${ACCENT};border-width:11px 20px;border-radius:8px;color:${ON_ACCENT};font-weight:600;text-decoration:none`;
const CODE = 'margin:0 0 16px;font-size:28px;font-weight:700;letter-spacing:4px';

/** Links http(s) URLs only; others remain text. */
const isLink = (url: string): boolean => /^https?:\/\//.test(url);

const quoted = (text: string): string => `<div class="quiet theirs" dir="auto" style="${THEIRS}">${lined(text)}</div>`;

function paragraphHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p style="${P}">${lined(paragraph)}</p>`;
  if ('code' in paragraph) return `<p style="${CODE}">${escaped(paragraph.code)}</p>`;
  if ('theirs' in paragraph) return quoted(paragraph.theirs);
  if ('button' in paragraph) {
    const { say, url, button } = paragraph;
    const said = say === '' ? '' : `<p style="${P}">${lined(say)}</p>\n`;
    if (!isLink(url)) return `${said}<p style="${P}">${escaped(url)}</p>`;
    return `${said}<p style="margin:0 0 16px"><a class="button" href="${escaped(url)}" style="${BUTTON}">${escaped(button)}</a></p>`;
  }
  const { title, body, url } = paragraph;
  const head =
    url !== null && isLink(url)
      ? `<a href="${escaped(url)}" style="color:${ACCENT}">${escaped(title)}</a>`
      : escaped(title);
  return `<p dir="auto" style="margin:0 0 4px;font-weight:600;overflow-wrap:anywhere">${head}</p>\n${body === '' ? '' : quoted(body)}`;
}

const DARK = [
  `body,.page{background:${DIM.paper}!important;color:${DIM.ink}!important}`,
  `.card{background:${DIM.card}!important;border-color:${DIM.line}!important;color:${DIM.ink}!important}`,
  `.quiet{color:${DIM.quiet}!important}`,
  `.theirs{border-color:${DIM.edge}!important}`,
  `a{color:${DARK_ACCENT}!important}`,
  `.button{background:${DARK_ACCENT}!important;border-color:${DARK_ACCENT}!important;color:${ON_DARK_ACCENT}!important}`,
  `.mark{background:${DARK_ACCENT}!important}`,
].join('');

const MARK = `display:inline-block;width:14px;height:14px;margin-right:8px;border-radius:4px;background:${ACCENT};vertical-align:-1px`;

/** The whole letter. */
export function letterHtml(
  { lang, signature }: { readonly lang: string; readonly signature: string },
  subject: string,
  paragraphs: readonly Paragraph[],
): string {
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>@media (prefers-color-scheme:dark){${DARK}}</style>
</head>
<body style="margin:0;background:${LIGHT.paper}">
<div class="page" style="background:${LIGHT.paper};color:${LIGHT.ink};padding:24px 12px;${FONT};font-size:16px;line-height:1.5">
<div style="max-width:544px;margin:0 auto">
<p style="margin:0 0 16px;font-weight:700"><span class="mark" style="${MARK}"></span>${NAME}</p>
<div class="card" style="background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px;padding:24px 24px 8px">
${paragraphs.map(paragraphHtml).join('\n')}
</div>
<p class="quiet" style="margin:16px 0 0;color:${LIGHT.quiet};font-size:13px">${escaped(signature)}</p>
</div>
</div>
</body>
</html>
`;
}

/** The same paragraph as plain text. */
export function paragraphText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  if ('code' in paragraph) return paragraph.code;
  if ('theirs' in paragraph) return paragraph.theirs;
  if ('button' in paragraph) return [paragraph.say, paragraph.url].filter(Boolean).join('\n');
  return [paragraph.title, paragraph.body, paragraph.url ?? ''].filter(Boolean).join('\n');
}
