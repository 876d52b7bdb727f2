// Guards the reading of HTML mail: what its author wrote as it shows, and nothing that their program put around it.
import { describe, expect, test } from 'bun:test';
import { htmlText } from '../../src/outbound/reading/mail.ts';
import { expectLinear, loadCounted } from '../support/steps.ts';

/** What each program makes of "Tomorrow is fine." and "Ten?" above a letter that said "When?". */
const PROGRAMS: readonly [string, string][] = [
  [
    'Gmail',
    '<div dir="ltr"><div>Tomorrow is fine.</div><div>Ten?</div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Mon Bob wrote:<br></div><blockquote class="gmail_quote">When?</blockquote></div>',
  ],
  [
    'Outlook',
    '<html><head><style>p{color:red}</style></head><body><div class="WordSection1"><p>Tomorrow is fine.<br>Ten?</p></div><hr><div id="divRplyFwdMsg"><b>From:</b> Bob</div><div>When?</div></body></html>',
  ],
  [
    'Outlook for iOS',
    '<div>Tomorrow is fine.<br/>Ten?</div><div id="ms-outlook-mobile-signature">Get Outlook</div><div id="mail-editor-reference-message-container">When?</div>',
  ],
  [
    'Apple Mail',
    '<body>Tomorrow is fine.<div>Ten?<br><div><br><blockquote type="cite"><div>On Monday Bob wrote:</div>When?</blockquote></div></div></body>',
  ],
  [
    'Thunderbird',
    '<p>Tomorrow is fine.<br>Ten?</p><div class="moz-cite-prefix">On 6/15/26, Bob wrote:</div><blockquote type="cite" cite="mid:x">When?</blockquote><pre class="moz-signature">-- Ada</pre>',
  ],
  [
    'Yahoo',
    '<div class="ydp">Tomorrow is fine.</div><div>Ten?</div><div id="ydp1" class="yahoo_quoted"><div>On Monday Bob wrote: When?</div></div>',
  ],
  [
    'Proton',
    '<div>Tomorrow is fine.</div><div>Ten?</div><div class="protonmail_signature_block">Sent with Proton</div><div class="protonmail_quote">On Monday Bob wrote:<blockquote>When?</blockquote></div>',
  ],
];

describe('the words of the author are found', () => {
  for (const [program, html] of PROGRAMS) {
    test(program, () => {
      expect(htmlText(html)).toBe('Tomorrow is fine.\nTen?');
    });
  }

  test('with lists, cells and characters as they show, and without what does not', () => {
    const html =
      '<ul><li>one<li>two</ul><table><tr><td>a<td>b</table>&lt;b&gt; &amp; &#x1F600;&nbsp;&nbsp;x<script>no()</script>';
    expect(htmlText(html)).toBe('- one\n- two\na b\n<b> & 😀 x');
  });
});

const UNITS = ['<div>', '<b><i>', '<table><tr>', '<a ', '<', '<p><b>', '&', '<!--', '</p>', '<td>a', '<br>', '\0'];

test.each(UNITS)('markup of %j takes steps in proportion to its length', async (unit) => {
  const path = './src/outbound/reading/mail.ts';
  const read = await loadCounted<typeof import('../../src/outbound/reading/mail.ts')>(path, ['parse5', 'entities']);
  expectLinear(read.htmlText, unit, 8_192);
});

test('markup of great depth does not take the stack', () => {
  for (const unit of ['<div>', '<b><i>', '<table><tr>', `<div class="${'a '.repeat(1_000)}">x`]) {
    expect(htmlText(`${unit.repeat(200_000 / unit.length)}deep`)).toBeString();
  }
});
