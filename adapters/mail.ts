import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { visibleLine } from '../billing/look/visibleText.ts';
import { areOfAddress } from '../billing/mail/mailEvents.ts';
import type { RecipientAnswer } from '../billing/mail/mailOutcome.ts';
import type {
  DkimKey,
  MailAttachment,
  Mailer,
  MailResult,
  OutgoingMail,
  RefusedRecipient,
} from '../commands/ports/ports.ts';

export interface MailerOptions {
  /** `smtp://` or `smtps://`, with user and password if needed. */
  smtpUrl: string;
  /** Timeout for the server to accept a connection and to greet. Default: 10,000. */
  connectTimeoutMilliseconds?: number;
  /**
   * Timeout for each reply of the server. Default: 30,000, longer than for connecting, because many servers scan a mail before they accept it.
   */
  silenceTimeoutMilliseconds?: number;
  /** Timeout of one send in total. Default: `MAIL_MILLISECONDS`. */
  totalTimeoutMilliseconds?: number;
  log?: Pick<Logger, 'warn'>;
}

/** Timeout of one send in total, unless another one is given. */
export const MAIL_MILLISECONDS = 45_000;

/** Maximum number of SMTP connections of one mailer, and therefore of mails that it sends at a time. */
export const MAIL_CONNECTIONS = 10;

/**
 * Sends mail over a pool of SMTP connections. `send` never throws: a failure is `temporary` or `permanent`, with its reason.
 */
export function createMailer(options: MailerOptions): Mailer & { close(): void } {
  const { connectTimeoutMilliseconds: connectTimeout = 10_000 } = options;
  const { silenceTimeoutMilliseconds = 30_000, totalTimeoutMilliseconds = MAIL_MILLISECONDS } = options;
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
    // If the server has closed an idle connection, the mail is sent once more over another one.
    maxRequeues: 1,
    idleTimeout: 30_000,
    connectionTimeout: connectTimeout,
    greetingTimeout: connectTimeout,
    dnsTimeout: connectTimeout,
    socketTimeout: silenceTimeoutMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const unanswered = mailServerLog(options.log, options.smtpUrl);
  return {
    async send(mail: OutgoingMail): Promise<MailResult> {
      const signal = AbortSignal.timeout(totalTimeoutMilliseconds);
      try {
        const { attachments, from, to, recipients, unsubscribeUrl, dkim, ...rest } = mail;
        const people = { from: named(from), to: to.map(named), ...(from.replyTo ? { replyTo: from.replyTo } : {}) };
        const headers = {
          ...namingHeaders(mail.messageId),
          ...(unsubscribeUrl === null ? {} : stopHeaders(unsubscribeUrl)),
        };
        const sendOnce = () =>
          transport.sendMail({
            ...rest,
            ...people,
            envelope: { from: from.address, to: recipients },
            ...(dkim ? { dkim: signingBy(dkim) } : {}),
            headers,
            attachments: attachments.map(attached),
            signal,
          });
        const answer = await sendOnce().catch((error: unknown) => {
          if (codeOf(error) !== BROKEN_STREAM) throw error;
          return sendOnce();
        });
        return { status: 'sent', ...answersIn(answer, mail.recipients) };
      } catch (error) {
        if (signal.aborted || UNANSWERED.has(codeOf(error)))
          unanswered(error instanceof Error ? error.message : String(error));
        return signal.aborted
          ? { status: 'temporary', reason: 'The mail server took too long' }
          : failureOf(error, mail.recipients);
      }
    },
    close: () => transport.close(),
  };
}

/** Header fields that the signature covers. One click to stop mails needs both fields of the list (RFC 8058). */
const SIGNED_FIELDS =
  'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post';

/** A mail is hashed before it is sent. Longer ones wait in a temporary file, so that many of them fit into memory. */
const MOST_IN_MEMORY = 1024 * 1024;

function signingBy({ domain: domainName, selector: keySelector, privateKey }: DkimKey) {
  return {
    domainName,
    keySelector,
    privateKey,
    headerFieldNames: SIGNED_FIELDS,
    cacheDir: tmpdir(),
    cacheTreshold: MOST_IN_MEMORY,
  };
}

/** Headers for Postmark: it keeps the Message-ID, and names it in its events. */
function namingHeaders(messageId: string): Record<string, string> {
  return { 'X-PM-KeepID': 'true', 'X-PM-Metadata-message-id': messageId.replace(/[<>]/g, '') };
}

/** Headers by which mail programs offer to stop such mails with one click (RFC 8058). */
function stopHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** An address whose name has no hidden characters or line breaks. */
function named({ name, address }: OutgoingMail['from']): OutgoingMail['from'] {
  return { name: visibleLine(name), address };
}

/**
 * Error code when a stream fails, or when nodemailer would have to read it again: after a lost connection it sends the mail over another one.
 * The server has not accepted the mail, so it is sent once more with new streams.
 */
const BROKEN_STREAM = 'ESTREAM';

function attached(file: MailAttachment) {
  const content = 'bytes' in file ? Buffer.from(file.bytes) : streamOf(file.open);
  const shown = file.contentId ? { cid: file.contentId, contentDisposition: 'inline' as const } : {};
  return { filename: visibleLine(file.name), contentType: file.type, content, ...shown };
}

/** A stream that opens its file only when it is read, so that mails that wait for a connection hold no bytes and no file descriptor. */
function streamOf(open: () => Promise<Readable>): Readable {
  const read = async function* () {
    yield* await open();
  };
  return Readable.from(read(), { objectMode: false });
}

/** Error codes of nodemailer for a server that cannot be found, reached or greeted. */
const UNANSWERED = new Set(['EDNS', 'ECONNECTION', 'ECONNREFUSED', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);
/** Error codes of nodemailer that concern this mail. Others, such as a refused login, concern the deployment: the mail is retried. */
const mailErrors = new Set(['EENVELOPE', 'EMESSAGE']);
/** Reply codes that ask for a login or for encryption. */
const loginReplies = new Set([530, 534, 535, 538]);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The recipients that the server refused for good or for now, in an answer or an error of nodemailer. */
function answersIn(of: object, recipients: readonly string[]): Pick<MailResult, 'refused' | 'deferred'> {
  const errors: unknown[] = 'rejectedErrors' in of && Array.isArray(of.rejectedErrors) ? of.rejectedErrors : [];
  const refused: RefusedRecipient[] = [];
  const deferred: RecipientAnswer[] = [];
  for (const error of errors) {
    if (!(error instanceof Error) || !('recipient' in error)) continue;
    const address = asGiven(String(error.recipient), recipients);
    const reason = 'response' in error ? String(error.response) : error.message;
    if (isFinal(replyOf(error))) refused.push({ address, reason, isUnknown: areOfAddress(visibleLine(reason)) });
    else deferred.push({ address, reason });
  }
  return { ...(refused.length > 0 ? { refused } : {}), ...(deferred.length > 0 ? { deferred } : {}) };
}

/** The recipient as it was given: nodemailer writes its domain in ASCII. */
function asGiven(sent: string, recipients: readonly string[]): string {
  return recipients.find((given) => inAscii(given) === inAscii(sent)) ?? sent;
}

function inAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return (address.slice(0, at) + domainToASCII(address.slice(at))).toLowerCase();
}

/** The reply code of the server; null: there is none. */
function replyOf(error: Error): number | null {
  return 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null;
}

function isFinal(replyCode: number | null): boolean {
  return replyCode === null || (replyCode >= 500 && !loginReplies.has(replyCode));
}

function failureOf(error: unknown, recipients: readonly string[]): MailResult {
  if (!(error instanceof Error)) return { status: 'temporary', reason: String(error) };
  const answers = answersIn(error, recipients);
  const isPermanent = mailErrors.has(codeOf(error)) && isFinal(replyOf(error)) && !answers.deferred;
  const status = isPermanent ? 'permanent' : 'temporary';
  return { status, reason: error.message, ...answers };
}

/** For a sandbox without a mail server. Sends nothing; the mail can be read in its row. */
export const keepMail: Mailer & { close(): void } = {
  isKept: true,
  send: () => Promise.resolve({ status: 'sent' }),
  close: () => undefined,
};

const LOG_MILLISECONDS = 60_000;

/**
 * Tells operators that the mail server does not answer: a line at once, and then at most one a minute, with the number of mails since the line
 * before. Each mail keeps its own reason in its row.
 */
export function mailServerLog(
  log: Pick<Logger, 'warn'> | undefined,
  smtpUrl: string,
  every = LOG_MILLISECONDS,
): (reason: string) => void {
  const { hostname, port } = new URL(smtpUrl);
  const server = port ? `${hostname}:${port}` : hostname;
  let mails = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (reason) => {
    mails += 1;
    if (performance.now() - toldAt < every) return;
    log?.warn({ server, mails, reason }, 'the mail server does not answer; mails wait and are tried again');
    toldAt = performance.now();
    mails = 0;
  };
}
