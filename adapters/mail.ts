import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { visibleLine } from '../billing/visibleText.ts';
import type { MailAttachment, Mailer, MailResult, OutgoingMail } from '../commands/ports.ts';

export interface MailerOptions {
  /** smtp:// or smtps://, with user and password where needed. */
  smtpUrl: string;
  /** Timeout for the server to accept a connection and to greet. */
  connectTimeoutMilliseconds?: number;
  /**
   * Timeout between two replies of the server. It is longer than that for connecting, because many servers scan a mail before they accept
   * it.
   */
  silenceTimeoutMilliseconds?: number;
  /** Timeout of one send in all. */
  totalTimeoutMilliseconds?: number;
}

/** SMTP connections of one mailer, and so the most mails that it sends at a time. */
export const MAIL_CONNECTIONS = 10;

/** Sends mail over a pool of SMTP connections. A mail that the server accepted for at least one recipient counts as sent. */
export function createMailer(options: MailerOptions): Mailer & { close(): void } {
  const { connectTimeoutMilliseconds: connectTimeout = 10_000 } = options;
  const { silenceTimeoutMilliseconds = 30_000, totalTimeoutMilliseconds = 45_000 } = options;
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
    // When the server has closed an idle connection, the mail is tried once more and does not fail.
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
        const sendOnce = () =>
          transport.sendMail({ ...rest, ...people, attachments: attachments.map(attached), signal });
        await sendOnce().catch((error: unknown) => {
          if (codeOf(error) !== BROKEN_STREAM) throw error;
          return sendOnce();
        });
        return { status: 'sent' };
      } catch (error) {
        return signal.aborted ? { status: 'temporary', reason: 'The mail server took too long' } : failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}

/** A name without hidden characters and line breaks. */
function named({ name, address }: OutgoingMail['from']): OutgoingMail['from'] {
  return { name: visibleLine(name), address };
}

/**
 * A stream failed, or it was read before its connection was lost. nodemailer then sends the mail over another connection, but cannot read a
 * stream twice. The server has not accepted the mail, so it is sent once more with new streams.
 */
const BROKEN_STREAM = 'ESTREAM';

function attached(file: MailAttachment) {
  const content = 'bytes' in file ? Buffer.from(file.bytes) : streamOf(file.open);
  return { filename: visibleLine(file.name), contentType: file.type, content };
}

/** Opens the file when the mail server is ready for it, so that mails waiting for a connection hold neither bytes nor a descriptor. */
function streamOf(open: () => Promise<Readable>): Readable {
  const read = async function* () {
    yield* await open();
  };
  return Readable.from(read(), { objectMode: false });
}

/** Errors of this mail itself. Other errors, such as a refused login, concern the deployment and are retried. */
const mailErrors = new Set(['EENVELOPE', 'EMESSAGE']);
/** Reply codes that ask for a login or for encryption. */
const loginReplies = new Set([530, 534, 535, 538]);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function failureOf(error: unknown): MailResult {
  if (!(error instanceof Error)) return { status: 'temporary', reason: String(error) };
  const replyCode = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null;
  const isFinal = replyCode === null || (replyCode >= 500 && !loginReplies.has(replyCode));
  const isPermanent = mailErrors.has(codeOf(error)) && isFinal;
  return { status: isPermanent ? 'permanent' : 'temporary', reason: error.message };
}

/** For a sandbox without a mail server: sends nothing; the mail stays readable as its row. */
export const keepMail: Mailer & { close(): void } = {
  isKept: true,
  send: () => Promise.resolve({ status: 'sent' }),
  close: () => undefined,
};
