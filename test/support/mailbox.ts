import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { listen, portOf } from './listen.ts';
import { type ReadMail, readMail } from './mime.ts';
import { until } from './wait.ts';

/** A mail that arrived. `from` and `to` are the addresses of the envelope. */
export interface Mail extends ReadMail {
  from: string;
  to: string[];
  /** The mail as it arrived. */
  raw: Buffer;
}

export interface Mailbox {
  /** Value for SMTP_URL. */
  url: string;
  messages(): readonly Mail[];
  /** Waits for the first mail that matches. */
  waitFor(predicate: (mail: Mail) => boolean, what: string): Promise<Mail>;
  /** Refuses the next mails with these SMTP codes in order. Senders retry after 4xx, never after 5xx. */
  refuse(...codes: number[]): void;
  /** Keeps the next `most` mails without an answer, until `release` accepts them, or refuses them with this SMTP code. */
  hold(most: number): { waiting(): number; release(code?: number): void };
  /** Refuses an address from now on, with this reply and code; by default for good. */
  refuseAddress(address: string, reply: string, code?: number): void;
  /** Accepts an address again. */
  acceptAddress(address: string): void;
  stop(): Promise<void>;
  /** Listens again on the same port and keeps the earlier mails. */
  start(): Promise<void>;
}

/** Starts a mail server in this process, on the loopback interface, without authentication or TLS. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  const refusals: number[] = [];
  const refused = new Map<string, Error>();
  /** Decides about one of the mails that are held: the code with which it is refused, or none. Absent: none is to be held. */
  const holds: (() => Promise<number | undefined>)[] = [];
  const onData = async (stream: SMTPServerDataStream, session: SMTPServerSession, done: (error?: Error) => void) => {
    const mail = await receive(stream, session).catch(() => null);
    if (mail === null) return; // the client closed its connection within the mail
    const code = (await holds.shift()?.()) ?? refusals.shift();
    if (code !== undefined) return done(Object.assign(new Error('refused by script'), { responseCode: code }));
    mails.push(mail);
    done();
  };
  const open = async (port: number) => {
    const smtp = new SMTPServer({
      onData,
      onRcptTo: ({ address }, _session, done) => {
        done(refused.get(address) ?? null);
      },
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      closeTimeout: 50,
    });
    await listen(smtp.server, port);
    smtp.on('error', () => undefined); // a client closed its connection
    return smtp;
  };
  let smtp: SMTPServer | null = await open(0);
  const port = portOf(smtp.server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages: () => mails,
    waitFor: (predicate, what) => until(() => mails.find(predicate), { what }),
    refuseAddress: (address, reply, responseCode = 550) =>
      void refused.set(address, Object.assign(new Error(reply), { responseCode })),
    acceptAddress: (address) => void refused.delete(address),
    hold(most) {
      let waiting = 0;
      let release: (code?: number) => void = () => undefined;
      const decided = new Promise<number | undefined>((resolve) => {
        release = resolve;
      });
      const hold = () => {
        waiting += 1;
        return decided;
      };
      holds.push(...Array.from({ length: most }, () => hold));
      return { waiting: () => waiting, release };
    },
    refuse: (...codes) => void refusals.push(...codes),
    stop: async () => {
      const closing = smtp;
      smtp = null;
      await new Promise((resolve) => (closing === null ? resolve(null) : closing.close(() => resolve(null))));
    },
    start: async () => {
      smtp ??= await open(port);
    },
  };
}

async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Mail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const sender = session.envelope.mailFrom;
  const raw = Buffer.concat(chunks);
  return {
    ...readMail(raw),
    raw,
    from: sender === false ? '' : sender.address,
    to: session.envelope.rcptTo.map((recipient) => recipient.address),
  };
}
