import { createTransport } from 'nodemailer';
import { visibleLine } from '../billing/visibleText.ts';
import type { Mailer, MailResult, OutgoingMail } from '../commands/ports.ts';

export interface MailerOptions {
  /** smtp:// or smtps://, with user and password where needed. */
  smtpUrl: string;
  /** How long to wait for the server to accept a connection and greet. */
  connectTimeoutMilliseconds?: number;
  /** How long the server may stay silent between two steps; longer than connecting, since many servers scan a mail before they take it. */
  silenceTimeoutMilliseconds?: number;
  /** The longest that one send takes, whatever the server does. */
  totalTimeoutMilliseconds?: number;
}

/** Sends mail over a pool of SMTP connections. A mail that the server took for at least one recipient counts as sent. */
export function createMailer(options: MailerOptions): Mailer & { close(): void } {
  const { connectTimeoutMilliseconds: connectTimeout = 10_000 } = options;
  const { silenceTimeoutMilliseconds = 30_000, totalTimeoutMilliseconds = 45_000 } = options;
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: 10,
    // An idle connection that the server has closed meanwhile costs one more try, not a failure.
    maxRequeues: 1,
    idleTimeout: 30_000,
    connectionTimeout: connectTimeout,
    greetingTimeout: connectTimeout,
    dnsTimeout: connectTimeout,
    socketTimeout: silenceTimeoutMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail: OutgoingMail): Promise<MailResult> {
      const signal = AbortSignal.timeout(totalTimeoutMilliseconds);
      try {
        const { attachments, from, to, ...rest } = mail;
        const people = { from: named(from), to: to.map(named) };
        await transport.sendMail({ ...rest, ...people, attachments: attachments.map(attached), signal });
        return { status: 'sent' };
      } catch (error) {
        return signal.aborted ? { status: 'temporary', reason: 'The mail server took too long' } : failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}

/** Names in headers are as people read them. */
function named({ name, address }: OutgoingMail['from']): OutgoingMail['from'] {
  return { name: visibleLine(name), address };
}

/** Bytes are handed over whole: what is sent again over another connection is complete. */
function attached({ name, type, bytes }: OutgoingMail['attachments'][number]) {
  return { filename: visibleLine(name), contentType: type, content: Buffer.from(bytes) };
}

/** Failures that concern this mail; a refused login, for one, is the deployment's trouble and worth another try. */
const mailErrors = new Set(['EENVELOPE', 'EMESSAGE']);
/** Replies to an envelope that ask for a login or for encryption. */
const loginReplies = new Set([530, 534, 535, 538]);

function failureOf(error: unknown): MailResult {
  if (!(error instanceof Error)) return { status: 'temporary', reason: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const replyCode = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null;
  const isFinal = replyCode === null || (replyCode >= 500 && !loginReplies.has(replyCode));
  const isPermanent = mailErrors.has(code) && isFinal;
  return { status: isPermanent ? 'permanent' : 'temporary', reason: error.message };
}

/** For a sandbox without a mail server: the row is the mail, nothing is sent. */
export const keepMail: Mailer & { close(): void } = {
  isKept: true,
  send: () => Promise.resolve({ status: 'sent' }),
  close: () => undefined,
};
