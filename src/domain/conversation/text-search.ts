// Looks for a text in others, whatever their letters' case. The time is linear in what is read whatever is looked for (Knuth,
// Morris and Pratt 1977): where engines compare anew at each place, "ababab…zz" costs its own length for each letter read.

/** For each letter of the text, how much of its beginning stands again right before it. */
function repeatsOf(sought: string): number[] {
  const repeats = [0];
  let same = 0;
  for (let at = 1; at < sought.length; at++) {
    while (same > 0 && sought.charCodeAt(at) !== sought.charCodeAt(same)) same = repeats[same - 1] ?? 0;
    if (sought.charCodeAt(at) === sought.charCodeAt(same)) same += 1;
    repeats.push(same);
  }
  return repeats;
}

/** Whether a text holds `q`: `finder(q)(text)`. */
export function makeFinder(q: string): (text: string) => boolean {
  const sought = q.toLowerCase();
  const repeats = repeatsOf(sought);
  return (text) => {
    const folded = text.toLowerCase();
    let same = 0;
    for (let at = 0; at < folded.length && same < sought.length; at++) {
      const letter = folded.charCodeAt(at);
      while (same > 0 && letter !== sought.charCodeAt(same)) same = repeats[same - 1] ?? 0;
      if (letter === sought.charCodeAt(same)) same += 1;
    }
    return same === sought.length;
  };
}
