// Finds the questions in the other side's text, and formats knowledge as an answer.

/** The built-in negotiator's question after a price. Knowledge does not answer it. */
export const OF_A_PRICE = { seller: 'Does that work for you', buyer: 'Would you do it for that' } as const;

/** Questions of a message; others wait for the next turn. */
const QUESTIONS_MAX = 3;
const QUESTION_MAX = 500;
/** Characters of a message that are read. */
const READ_MAX = 4_000;

const PRICE_QUESTIONS: ReadonlySet<string> = new Set(Object.values(OF_A_PRICE));

/** Ends of sentences; a point within a number does not count. */
const ENDS = /([?？؟]|[。\n]|[.!](?=\s))/;

/** The questions of a text in order, without question marks. */
export function questionsIn(text: string): string[] {
  const parts = text.slice(0, READ_MAX).split(ENDS);
  const asked: string[] = [];
  for (let at = 0; at + 1 < parts.length && asked.length < QUESTIONS_MAX; at += 2) {
    const words = (parts[at] ?? '').trim();
    if (PRICE_QUESTIONS.has(words)) continue;
    if (words !== '' && /[?？؟]/.test(parts[at + 1] ?? '')) asked.push(words.slice(-QUESTION_MAX));
  }
  return asked;
}

const ANSWER_MAX = 300;

/** The beginning of a knowledge entry for a turn, in whole sentences where they fit. */
export function answerText(text: string): string {
  const line = text
    .slice(0, ANSWER_MAX * 4)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= ANSWER_MAX) return line;
  const cut = line.slice(0, ANSWER_MAX).toWellFormed();
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '));
  return end > 0 ? cut.slice(0, end + 1) : `${cut.slice(0, cut.lastIndexOf(' ') + 1 || ANSWER_MAX).trim()}…`;
}
