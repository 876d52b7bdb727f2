// The reading thread: parses and authenticates untrusted mail. Its libraries take more than linear time on some texts, and half
// a second on an ordinary large mail; here they block no request, and the main thread terminates a job that takes too long.
import type { Dns, DnsAnswer } from '../dns.ts';
import { authenticateMail } from './authentication.ts';
import type { Done, FromThread, Job, Question, ToThread } from './job.ts';
import { parseMail } from './mail.ts';

declare const self: Worker;

const tell = (message: FromThread): void => self.postMessage(message);

const waiting = new Map<number, (answer: DnsAnswer) => void>();
let asked = 0;

/** Asks the main thread, which has the resolver. */
function ask(what: Question, name: string): Promise<DnsAnswer> {
  asked += 1;
  const question = asked;
  const { promise, resolve } = Promise.withResolvers<DnsAnswer>();
  waiting.set(question, resolve);
  tell({ kind: 'ask', question, ask: what, name });
  return promise;
}

const dns: Dns = {
  txt: (name) => ask('txt', name),
  addresses: (name) => ask('addresses', name),
  mx: (name) => ask('mx', name),
};

async function read(job: Job): Promise<Done[keyof Done]> {
  const raw = Buffer.from(job.raw, 'latin1');
  return job.job === 'mail' ? parseMail(raw, job.mail_domain) : authenticateMail(raw, job.path, dns, job.mta);
}

self.onmessage = ({ data }: MessageEvent<ToThread>): void => {
  if (data.kind === 'answer') {
    waiting.get(data.question)?.(data.answer);
    waiting.delete(data.question);
    return;
  }
  read(data.job).then(
    (done) => tell({ kind: 'done', done }),
    () => tell({ kind: 'done', done: null }),
  );
};
