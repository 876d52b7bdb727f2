// Unicode normal forms of a stranger's text in linear time. Putting a run of combining marks into its canonical order is
// quadratic in the run, in every engine: 240 KB of two marks in turn take a minute. So runs are cut first, as the
// Stream-Safe Text Format does (UAX #15, section 13).

/** No script stacks more marks on one letter; UAX #15 takes 30 for the same purpose. */
const MARKS_MAX = 30;

/** Marks, and the two signs that become marks when they are decomposed. */
const RUN = /[\p{M}\uff9e\uff9f]+/gu;

function cutRun(run: string): string {
  return run.length <= MARKS_MAX ? run : [...run].slice(0, MARKS_MAX).join('');
}

/** The normal form of a text, without the marks of a run beyond the thirtieth. */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(RUN, cutRun).normalize(form);
}
