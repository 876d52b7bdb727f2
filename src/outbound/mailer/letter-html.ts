// A letter's HTML part, limited to what mail programs support in common: tables, inline styles, background colours as attributes too,
// text styles on each cell, since Outlook inherits none. No images or remote content. Dark mode is in one stylesheet, which some
// programs ignore.
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

/** Placeholders of the accent colours, light and dark, and of the mark: letters are composed before the instance is known. */
const [ACCENT, ON_ACCENT, DARK_ACCENT, ON_DARK_ACCENT] = ['\ue0f0', '\ue0f1', '\ue0f2', '\ue0f3'] as const;
const MARK = '\ue0f4';

/** The mark of an instance: its name's first letter or digit. */
const markOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase() ?? '';

/** A letter in the name and colour of the service. */
export function dressed(html: string, { name, color }: Pick<Instance, 'name' | 'color'>): string {
  const { light, dark } = lookOf(color);
  const coloured = html
    .replaceAll(ACCENT, light.accent)
    .replaceAll(ON_ACCENT, light['on-accent'])
    .replaceAll(DARK_ACCENT, dark.accent)
    .replaceAll(ON_DARK_ACCENT, dark['on-accent'])
    .replaceAll(MARK, escaped(markOf(name)));
  return withName(coloured, escaped(name));
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TEXT = `${FONT};font-size:16px;line-height:24px;color:${LIGHT.ink};text-align:left;word-break:break-word`;
const QUOTE = `padding:2px 0 2px 12px;border-left:3px solid ${LIGHT.edge};${TEXT}`;
const CODE = `${FONT};font-size:28px;line-height:36px;color:${LIGHT.ink};font-weight:bold;letter-spacing:4px;text-align:left`;
/** Outlook ignores the padding of links and takes that of the cell. */
const BUTTON = `background-color:${ACCENT};border-radius:8px;mso-padding-alt:11px 20px`;
const PRESS = `${FONT};display:inline-block;padding:11px 20px;border-radius:8px;background-color:${ACCENT};color:${ON_ACCENT};font-size:16px;line-height:24px;font-weight:bold;text-decoration:none`;

/** A table that only lays out. */
const table = (attributes: string, rows: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${attributes}>\n${rows}\n</table>`;

/** A paragraph's row, with its distance to the next. */
const row = (inner: string, text = TEXT, below = 16, attributes = ''): string =>
  `<tr><td${attributes} style="padding:0 0 ${below}px;${text}">${inner}</td></tr>`;

/** Links http(s) URLs only; others remain text. */
const isLink = (url: string): boolean => /^https?:\/\//.test(url);

const quoted = (text: string): string =>
  row(table(' width="100%"', `<tr><td class="theirs" dir="auto" style="${QUOTE}">${lined(text)}</td></tr>`));

function buttonHtml(url: string, button: string): string {
  const link = `<a class="press" href="${escaped(url)}" style="${PRESS}">${escaped(button)}</a>`;
  return row(
    table('', `<tr><td class="button" align="center" bgcolor="${ACCENT}" style="${BUTTON}">${link}</td></tr>`),
  );
}

function paragraphHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return row(lined(paragraph));
  if ('code' in paragraph) return row(escaped(paragraph.code), CODE);
  if ('theirs' in paragraph) return quoted(paragraph.theirs);
  if ('button' in paragraph) {
    const { say, url, button } = paragraph;
    const said = say === '' ? '' : `${row(lined(say))}\n`;
    return `${said}${isLink(url) ? buttonHtml(url, button) : row(escaped(url))}`;
  }
  const { title, body, url } = paragraph;
  const head =
    url !== null && isLink(url)
      ? `<a href="${escaped(url)}" style="color:${ACCENT}">${escaped(title)}</a>`
      : escaped(title);
  const above = row(head, `${TEXT};font-weight:bold`, body === '' ? 16 : 4, ' dir="auto"');
  return body === '' ? above : `${above}\n${quoted(body)}`;
}

const DARK = [
  `body,.page{background-color:${DIM.paper}!important}`,
  `.card{background-color:${DIM.card}!important;border-color:${DIM.line}!important}`,
  `.page td{color:${DIM.ink}!important}`,
  `.page .quiet{color:${DIM.quiet}!important}`,
  `.theirs{border-color:${DIM.edge}!important}`,
  `a{color:${DARK_ACCENT}!important}`,
  `.button,.press,.mark{background-color:${DARK_ACCENT}!important}`,
  `.press,.page .mark{color:${ON_DARK_ACCENT}!important}`,
].join('');

const WIDTH = 544;

/** The mark and the name of the instance. */
function headHtml(): string {
  const mark = `${FONT};border-radius:7px;background-color:${ACCENT};color:${ON_ACCENT};font-size:16px;line-height:28px;font-weight:bold`;
  const cells = [
    `<td class="mark" aria-hidden="true" width="28" height="28" align="center" valign="middle" bgcolor="${ACCENT}" style="${mark}">${MARK}</td>`,
    `<td valign="middle" style="padding:0 0 0 10px;${TEXT};font-weight:bold">${NAME}</td>`,
  ];
  return table('', `<tr>${cells.join('')}</tr>`);
}

/** The whole letter. Outlook knows no `max-width`, so it gets a table of that width around the rest. */
export function letterHtml(
  { lang, signature }: { readonly lang: string; readonly signature: string },
  subject: string,
  paragraphs: readonly Paragraph[],
): string {
  const card = `background-color:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px;padding:24px 24px 8px`;
  const small = `${FONT};font-size:13px;line-height:20px;color:${LIGHT.quiet};text-align:left`;
  const rows = [
    `<tr><td style="padding:0 0 16px">${headHtml()}</td></tr>`,
    `<tr><td class="card" bgcolor="${LIGHT.card}" style="${card}">${table(' width="100%"', paragraphs.map(paragraphHtml).join('\n'))}</td></tr>`,
    `<tr><td class="quiet" style="padding:16px 0 0;${small}">${escaped(signature)}</td></tr>`,
  ];
  const column = table(` width="100%" align="center" style="max-width:${WIDTH}px"`, rows.join('\n'));
  const outlook = `<!--[if mso]><table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->`;
  const page = `<tr><td align="center" style="padding:24px 12px">${outlook}${column}<!--[if mso]></td></tr></table><![endif]--></td></tr>`;
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
<body bgcolor="${LIGHT.paper}" style="margin:0;padding:0;background-color:${LIGHT.paper}">
${table(` class="page" width="100%" bgcolor="${LIGHT.paper}" style="background-color:${LIGHT.paper}"`, page)}
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
