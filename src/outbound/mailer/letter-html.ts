// A letter as HTML, beside its text: what mail programs show of it in common. No pictures and nothing from elsewhere; styles stand in
// each element, and those of dark readers in one sheet, which programs without it leave out.
import { NAME } from '../../domain/instance.ts';
import { escapeHtml } from '../../domain/text/escape-html.ts';

/** A paragraph of a letter. What is no sentence of the catalogue says what it is. */
export type Paragraph =
  | string
  /** To be copied: it stands alone on its line. */
  | { readonly code: string }
  /** What a caller wrote, or an address that it named. */
  | { readonly theirs: string }
  /** What is to be done, and where. */
  | { readonly say: string; readonly url: string; readonly button: string }
  /** Something that happened: its title, what is told of it, and where it can be read. */
  | { readonly title: string; readonly body: string; readonly url: string | null };

/** A text as HTML, without control characters. */
export const escaped = (text: string): string => escapeHtml(text).replaceAll(/[^\P{Cc}\n\t]/gu, '');

const lined = (text: string): string => escaped(text).replaceAll('\n', '<br>\n');

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const P = 'margin:0 0 16px;overflow-wrap:anywhere';
const THEIRS = 'margin:0 0 16px;padding:2px 0 2px 12px;border-left:3px solid #c3cad6;overflow-wrap:anywhere';
const BUTTON =
  'display:inline-block;background:#1f5fd6;border:solid #1f5fd6;border-width:11px 20px;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none';
const CODE = 'margin:0 0 16px;font-size:28px;font-weight:700;letter-spacing:4px';

/** Only what a browser opens; an address of another kind stands as text. */
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
      ? `<a href="${escaped(url)}" style="color:#1f5fd6">${escaped(title)}</a>`
      : escaped(title);
  return `<p dir="auto" style="margin:0 0 4px;font-weight:600;overflow-wrap:anywhere">${head}</p>\n${body === '' ? '' : quoted(body)}`;
}

const DARK = [
  'body,.page{background:#0f1115!important;color:#e9ebef!important}',
  '.card{background:#171a20!important;border-color:#2a2f39!important;color:#e9ebef!important}',
  '.quiet{color:#a2aab8!important}',
  '.theirs{border-color:#757d8c!important}',
  'a{color:#7aa7ff!important}',
  '.button{background:#7aa7ff!important;border-color:#7aa7ff!important;color:#0c1426!important}',
].join('');

const MARK =
  'display:inline-block;width:14px;height:14px;margin-right:8px;border-radius:4px;background:#1f5fd6;vertical-align:-1px';

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
<body style="margin:0;background:#f7f8fa">
<div class="page" style="background:#f7f8fa;color:#14171c;padding:24px 12px;${FONT};font-size:16px;line-height:1.5">
<div style="max-width:544px;margin:0 auto">
<p style="margin:0 0 16px;font-weight:700"><span style="${MARK}"></span>${NAME}</p>
<div class="card" style="background:#ffffff;border:1px solid #e2e5ea;border-radius:12px;padding:24px 24px 8px">
${paragraphs.map(paragraphHtml).join('\n')}
</div>
<p class="quiet" style="margin:16px 0 0;color:#5a6170;font-size:13px">${escaped(signature)}</p>
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
