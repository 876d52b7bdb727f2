// The part of a mail's text that its author wrote: without the letters that the mail program quoted and without what it
// put underneath. The rule kept here is that each line is looked at once, so that no text takes longer than its length (the
// library for it, email-reply-parser, needed 29 s for 32,000 empty lines and 14 s for 160 KB of "Le x ").

/** More than this nobody reads; what lies beyond could only be a quotation. */
const LOOKED_AT = 262_144;
/** A line of mail has at most 998 octets (RFC 5322, 2.1.1); what is longer was typed, and no rule looks at it. */
const LINE_MAX = 998;
const ATTRIBUTION_MAX = 400;
/** How many lines an attribution ("On … wrote:") is wrapped over. */
const ATTRIBUTION_LINES = 3;
/** Within how many lines after "From:" the rest of a quoted letter's head begins. */
const HEAD_LINES = 5;

const QUOTED = /^\s{0,3}(?:>|\|\s|&gt;)/;
const ORIGINAL = new RegExp(
  `^\\s*-{2,}\\s*(?:${[
    ...['original (?:message|email|appointment)', 'forwarded (?:message|by.{0,80})', 'reply (?:above|message)'],
    ...['ursprüngliche (?:nachricht|mail)', 'originalnachricht', 'weitergeleitete nachricht', "message d['’]origine"],
    ...['message (?:original|transféré)', 'mensaje (?:original|reenviado)', 'messaggio (?:originale|inoltrato)'],
    ...[
      'mensagem (?:original|encaminhada)',
      'oorspronkelijk bericht',
      'doorgestuurd bericht',
      'ursprungligt meddelande',
    ],
    ...['originalmeddelande', 'oprindelig (?:meddelelse|besked)', 'opprinnelig melding', 'alkuperäinen viesti'],
    ...[
      'исходное сообщение',
      'пересылаемое сообщение',
      'původní zpráva',
      'oryginalna wiadomość',
      'wiadomość oryginalna',
    ],
    ...['原始邮件', '原始郵件', '转发邮件信息', '元のメッセージ', '원본 메일', '원본 메시지'],
  ].join('|')})\\s*-*$`,
  'iu',
);
const FORWARDED =
  /^\s*(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié)\s?:/iu;
const FROM_LABEL =
  /^\s*\*?(?:from|von|de|da|van|från|fra|lähettäjä|от|od|kimden|发件人|寄件者|差出人|보낸 사람)\s?\*?\s?[:：]\*?\s*\S/iu;
const OTHER_LABEL = new RegExp(
  `^\\s*\\*?(?:${[
    ...['sent', 'date', 'to', 'subject', 'gesendet', 'datum', 'an', 'betreff', 'envoyé', 'à', 'objet', 'enviado'],
    ...['para', 'asunto', 'fecha', 'assunto', 'inviato', 'data', 'a', 'oggetto', 'verzonden', 'aan', 'onderwerp'],
    ...['skickat', 'till', 'ämne', 'sendt', 'til', 'emne', 'lähetetty', 'vastaanottaja', 'aihe', 'отправлено', 'кому'],
    ...[
      'тема',
      'дата',
      'odesláno',
      'komu',
      'předmět',
      'wysłano',
      'do',
      'temat',
      '发送时间',
      '发送日期',
      '收件人',
      '主题',
    ],
    ...['寄件日期', '收件者', '主旨', '送信日時', '宛先', '件名', '보낸 날짜', '받는 사람', '제목'],
  ].join('|')})\\s?\\*?\\s?[:：]`,
  'iu',
);
/** How an attribution begins and ends; both ends must fit, and what lies between says when or who. */
const OPENING =
  /^\W{0,3}(?:on|am|le|el|il|in data|em|op|den|på|dnia|w dniu|dne|pe|ma|ti|ke|to|la|su|в|вс|пн|вт|ср|чт|пт|сб|在|于|\p{L}{2,4}[.,]|\d{1,4})[\s,.]|^\d|<[^\s<>@]{1,64}@[^\s<>@]{1,253}>/iu;
const WROTE =
  /(?:(?:wrote|writes|a écrit|écrit|escribió|ha scritto|scrisse|escreveu|kirjoitti|napsal(?:\(a\)|a)?|napisał(?:\(a\)|a)?|pisze|пишет|написал(?:\(а\)|а)?|yazdı|(?:schrieb|schreef|skrev)(?:\s.{0,200})?)\s?[:：]|(?:写道|寫道|작성|のメッセージ)\s?[:：]?)\*?$/iu;
const WHEN_OR_WHO = /\d{4}|\d{1,2}[:.h]\d{2}|[<[(][^\s<>@[(]{1,64}@[^\s<>@]{1,253}[>\])]/u;
const SIGNATURE = /^(?:--|—|--\s|_{2,5})$/;
const SENT_FROM = new RegExp(
  `^\\s*(?:${[
    ...[
      'sent (?:from|via|with|by) (?!you\\b)',
      'get outlook for',
      'gesendet (?:von|mit|über)',
      'von meinem .{0,40}gesendet',
    ],
    ...[
      'diese nachricht wurde von mein',
      'envoyé (?:de|depuis|à partir)',
      'télécharger outlook',
      'enviado (?:desde|do|de|via)',
    ],
    ...['obtener outlook', 'obter o? ?outlook', 'inviato (?:da|dal)', 'scarica outlook', 'verzonden (?:vanaf|met)'],
    ...[
      'verstuurd vanaf',
      'skickat från',
      'sendt fra',
      'lähetetty ',
      'wysłane? z',
      'odesláno z',
      'отправлено (?:с|из)',
    ],
    ...['发自我的', '從我的', '寄自我的', '获取 outlook', 'iphoneから送信', '내 .{0,20}에서 보냄'],
  ].join('|')})[^\\n]{0,120}$`,
  'iu',
);
const RULE = /^\s*[_\-=*]{5,}\s*$/;

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/** The first line from `at` on that is not blank, or an empty one. */
function nextAfter(lines: readonly string[], at: number): string {
  for (let n = at; n < lines.length; n++) if (!isBlank(lines[n])) return lines[n] ?? '';
  return '';
}

/** Whether an attribution stands on the lines from `at`; answers how many it takes, or 0. */
function attribution(lines: readonly string[], at: number): number {
  let joined = '';
  for (let taken = 1; taken <= ATTRIBUTION_LINES; taken++) {
    const line = lines[at + taken - 1];
    if (line === undefined || isBlank(line) || QUOTED.test(line)) return 0;
    joined = `${joined} ${line.trim()}`.trim();
    if (joined.length > ATTRIBUTION_MAX) return 0;
    if (WROTE.test(joined) && OPENING.test(joined) && WHEN_OR_WHO.test(joined)) return taken;
    // Whatever it says: a line that names somebody or a time, ends with a colon and leads to a quotation.
    if (/[:：]$/.test(joined) && WHEN_OR_WHO.test(joined) && QUOTED.test(nextAfter(lines, at + taken))) return taken;
  }
  return 0;
}

/** Whether the head of a quoted letter begins on the line, as Outlook writes one. */
function letterHead(lines: readonly string[], at: number): boolean {
  if (!FROM_LABEL.test(lines[at] ?? '')) return false;
  return lines.slice(at + 1, at + 1 + HEAD_LINES).some((line) => OTHER_LABEL.test(line));
}

/** The lines up to where a quoted letter begins, with quoted lines in between taken out. */
function ownLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (QUOTED.test(line)) continue;
    if (line.length > LINE_MAX) {
      kept.push(line);
      continue;
    }
    if (ORIGINAL.test(line) || FORWARDED.test(line) || letterHead(lines, at)) break;
    const taken = attribution(lines, at);
    if (taken > 0) {
      // Below an attribution without quotation marks all is quoted; with them, answers may stand in between.
      if (!QUOTED.test(nextAfter(lines, at + taken))) break;
      at += taken - 1;
      continue;
    }
    kept.push(line);
  }
  return kept;
}

/** Without what stands below: the line that mail programs draw, a signature, where it was sent from. */
function withoutFoot(lines: readonly string[]): string[] {
  const signature = lines.findIndex((line, at) => at > 0 && SIGNATURE.test(line.trimEnd()));
  const kept = signature < 0 ? [...lines] : lines.slice(0, signature);
  for (;;) {
    const last = kept.at(-1);
    if (last === undefined || last.length > LINE_MAX) return kept;
    if (!(isBlank(last) || RULE.test(last) || SENT_FROM.test(last))) return kept;
    kept.pop();
  }
}

/** What the author of a mail wrote, of its plain text; empty when nothing of it is their own. */
export function ownText(text: string): string {
  const lines = text
    .slice(0, LOOKED_AT)
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd());
  return withoutFoot(ownLines(lines))
    .join('\n')
    .replace(/\n{4,}/g, '\n\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}
