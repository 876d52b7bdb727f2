// Unicode normal forms of a stranger's text in linear time and bounded length. The canonical ordering of a run of combining
// marks is quadratic in the run in every engine: 240 KB of two alternating marks take a minute. So runs are cut first, as in
// the Stream-Safe Text Format (UAX #15, section 13). A sign may also expand to eighteen, so the total growth of a text is
// limited before any sign is expanded.

/** No script stacks more marks on one letter; UAX #15 takes 30 for the same purpose. */
const MARKS_MAX = 30;

/** Marks, and the two signs that become marks when they are decomposed. */
const RUN = /[\p{M}\uff9e\uff9f]+/gu;

/** Signs that a compatibility form may expand; they include capitals, which cost only a check. */
const COMPATIBLE = /(?![\0-\x7f])\p{Changes_When_NFKC_Casefolded}/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const FOREIGN = /[^\0-\x7f]/;

function cutRun(run: string): string {
  return run.length <= MARKS_MAX ? run : [...run].slice(0, MARKS_MAX).join('');
}

/** The growth limit of a text: prose has a few ligatures and fractions. */
const grownMax = (text: string): number => text.length / 8 + 64;

/** The first letter or digit of an expansion: of "(1)" the 1. */
function shortened(made: string): string {
  for (const sign of made) if (LETTER_OR_DIGIT.test(sign)) return sign;
  return String.fromCodePoint(made.codePointAt(0) ?? 0x20);
}

/**
 * Expands the signs that match `pattern` by `as`, up to an eighth and 64 characters of growth. Beyond that each becomes the
 * first letter or digit of its expansion: the text is not cut, so that no filler hides what follows.
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
/** More signs than texts use; beyond it the cache is cleared. */
const WRITTEN_MAX = 10_000;

function compatible(sign: string): string {
  const known = written.get(sign);
  if (known !== undefined) return known;
  if (written.size >= WRITTEN_MAX) written.clear();
  const made = sign.normalize('NFKC');
  written.set(sign, made);
  return made;
}

/** The normal form of a text, without marks beyond the thirtieth of a run. A compatibility form is at most an eighth and 64
 * characters longer, before letters are decomposed. */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (!FOREIGN.test(text)) return text;
  const plain = text.replace(RUN, cutRun);
  if (form === 'NFC' || form === 'NFD') return plain.normalize(form);
  return writeOut(plain, COMPATIBLE, compatible).normalize(form);
}
