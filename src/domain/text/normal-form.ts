// Unicode normal forms of a stranger's text in linear time and bounded length. Putting a run of combining marks into its
// canonical order is quadratic in the run, in every engine: 240 KB of two marks in turn take a minute. So runs are cut first, as
// the Stream-Safe Text Format does (UAX #15, section 13). And a sign may stand for eighteen: a text of such signs alone is no
// text, so that what all signs of a text may grow by together is bounded before any of them is written out.

/** No script stacks more marks on one letter; UAX #15 takes 30 for the same purpose. */
const MARKS_MAX = 30;

/** Marks, and the two signs that become marks when they are decomposed. */
const RUN = /[\p{M}\uff9e\uff9f]+/gu;

/** Signs that a compatibility form may write out as others; capitals are among them, which cost a look. */
const COMPATIBLE = /(?![\0-\x7f])\p{Changes_When_NFKC_Casefolded}/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const FOREIGN = /[^\0-\x7f]/;

function cutRun(run: string): string {
  return run.length <= MARKS_MAX ? run : [...run].slice(0, MARKS_MAX).join('');
}

/** How much longer a text may become: prose has a few ligatures and fractions. */
const grownMax = (text: string): number => text.length / 8 + 64;

/** The first letter or digit of what a sign stands for: of "(1)" the 1. */
function shortened(made: string): string {
  for (const sign of made) if (LETTER_OR_DIGIT.test(sign)) return sign;
  return String.fromCodePoint(made.codePointAt(0) ?? 0x20);
}

/**
 * A text whose signs that fit `pattern` are written as `as` says, an eighth and 64 characters longer at most. Beyond that each
 * keeps the first letter or digit of what it stands for: nothing is cut off, so that no filler hides what comes behind it.
 */
export function writeOut(text: string, pattern: RegExp, as: (sign: string) => string): string {
  let left = grownMax(text);
  return text.replace(pattern, (sign) => {
    const made = as(sign);
    const grows = made.length - sign.length;
    if (grows <= 0) return made;
    left -= grows;
    return left >= 0 ? made : shortened(made);
  });
}

const written = new Map<string, string>();
/** As many signs as any text uses; beyond it the memory starts anew. */
const WRITTEN_MAX = 10_000;

function compatible(sign: string): string {
  const known = written.get(sign);
  if (known !== undefined) return known;
  if (written.size >= WRITTEN_MAX) written.clear();
  const made = sign.normalize('NFKC');
  written.set(sign, made);
  return made;
}

/** The normal form of a text, without the marks of a run beyond the thirtieth. A compatibility form is an eighth and 64
 * characters longer at most, before letters are taken apart from their accents. */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (!FOREIGN.test(text)) return text;
  const plain = text.replace(RUN, cutRun);
  if (form === 'NFC' || form === 'NFD') return plain.normalize(form);
  return writeOut(plain, COMPATIBLE, compatible).normalize(form);
}
