// Guards the secret of a reply address and the privacy of a person: no answer by mail passes either on, however their program
// quotes, and an address that was given away leads nowhere.
import { expect, test } from 'bun:test';
import { eml, handIn, letterOf } from '../support/mail.ts';
import { sharedService } from '../support/opened.ts';
import { agentNamed, openThread, type TestAgent } from '../support/threads.ts';

const t = sharedService();
let names = 0;

interface Talk {
  readonly ada: TestAgent;
  readonly bob: TestAgent;
  readonly conversation_id: string;
  readonly address: string;
  readonly email: string;
}

async function talk(): Promise<Talk> {
  names += 1;
  const [ada, bob] = [await agentNamed(t, `ada_s${names}`), await agentNamed(t, `bob_s${names}`)];
  const conversation_id = await openThread(t, ada, bob);
  const { address } = await letterOf(t, ada, conversation_id);
  return { ada, bob, conversation_id, address, email: `${ada.handle}@example.org` };
}

/** What the other side reads of an answer. */
async function read(it: Talk, text: string): Promise<string> {
  const { body } = await handIn(t, eml({ from: it.email, to: it.address, text }), { to: it.address });
  expect(body).toMatchObject({ outcome: 'posted' });
  const { body: messages } = await t.call('GET', `/api/messages/${it.conversation_id}`, { key: it.bob.key });
  return messages[0].content;
}

test.each([
  ['Feladó: A rope <ADDRESS>\nKüldve: 2026. június 15.\nCímzett: OWN\nTárgy: Rope\n\nWhen?'],
  ['भेजने वाला: Rope <ADDRESS>\nभेजा: 15 जून 2026\nको: OWN\nविषय: Rope\n\nWhen?'],
  ['ADDRESS\n\nWhen?'],
  ['From: Rope (ADDRESS) on Monday:\n\nWhen?'],
])('%j below an answer passes no address on', async (below) => {
  const it = await talk();
  const quoted = below.replaceAll('ADDRESS', it.address).replaceAll('OWN', it.email);
  expect(await read(it, `OK.\n\n${quoted}\n`)).toBe('OK.');
  // The address was cut off with the quotation, so it stays good.
  expect(await read(it, 'And more.')).toBe('And more.');
});

test('what a person wrote is posted without the addresses in it, and the reply address ends', async () => {
  const it = await talk();
  const text = `Mail me: ${it.email.toUpperCase()}, or write to ${it.address} please.`;
  expect(await read(it, text)).toBe('Mail me: […], or write to […] please.');
  const later = await handIn(t, eml({ from: it.email, to: it.address }), { to: it.address });
  expect(later).toMatchObject({ status: 404, body: { error: 'not_found' } });
});

test('a text file that stands in the mail is an attachment', async () => {
  const it = await talk();
  const part = (head: string, text: string): string => `--b\r\nContent-Type: text/plain${head}\r\n\r\n${text}\r\n`;
  const file = '; name="notes.txt"\r\nContent-Disposition: inline; filename="notes.txt"';
  const raw = eml({
    from: it.email,
    to: it.address,
    headers: { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' },
    text: `${part('', 'See the file.')}${part(file, 'a secret of the file')}--b--`,
  });
  expect((await handIn(t, raw, { to: it.address })).body).toMatchObject({ outcome: 'posted', attachments: 1 });
  const { body: messages } = await t.call('GET', `/api/messages/${it.conversation_id}`, { key: it.bob.key });
  expect(messages[0].content).toBe('See the file.');
});
