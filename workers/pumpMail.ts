import { type BeforeSending, beforeSending, failSuppressed, recordRefused } from '../commands/bounces/suppressing.ts';
import { checkSenderKey, nextCheck, recordCheck } from '../commands/mail/senderChecks.ts';
import type { MailResult, OutgoingMail } from '../commands/ports/ports.ts';
import { failpoint } from '../db/failpoint.ts';
import { isUnavailable } from '../db/failure.ts';
import { mailingAccount } from '../db/queries/accounts/people.ts';
import type { Suppressed } from '../db/queries/bounces/bounces.ts';
import type { Plain } from '../db/queries/kernel/plain.ts';
import { dueEmails, nextEmailAt, recordSent } from '../db/queries/mail/emails.ts';
import type { Account } from '../db/schema/account.ts';
import type { Email } from '../db/schema/email.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ActivityResult, ProcessInput } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import { contentIn, Withheld } from './mailContent.ts';
import { afterOther, pump, recorded } from './pump.ts';

/** Sends the queued emails of an account. The Message-ID comes from the row, so that mail servers can detect a second delivery. */
export async function pumpMail(deps: WorkerDeps, input: ProcessInput): Promise<ActivityResult> {
  const { accountId } = input;
  const account = await mailingAccount(deps.em.fork(), accountId);
  const checks = checksOf(deps, accountId);
  const sent = await pump<Plain<Email>>(
    deps,
    { ...input, process: 'mail' },
    {
      take: async (limit, busy) => {
        const emails = await dueEmails(deps.em.fork(), { accountId, limit, busy }, deps.systemNow());
        checks.start(); // meanwhile these emails are sent
        return emails;
      },
      idOf: (email) => email.id,
      send: async (email, mayBegin) => {
        const result = await send(deps, account, { email, mayBegin });
        await failpoint('mail.sent');
        if (result.status !== 'suppressed') await recordResult(deps, email, result);
        if (email.clockId !== null) deps.clocks.ring();
        return false; // sending an email never makes another one due
      },
    },
  );
  const { did, notBefore } = await checks.end();
  if (sent === null) return afterOther(deps.systemNow());
  const handled = sent === 0 ? did : [...did, `handled ${sent} emails`];
  return { did: handled, ...(await nextWake(deps, { accountId, notBefore })), more: false, call: null };
}

/** Result of the DNS checks. `did`: what they did, in words. The next check waits until `notBefore`, epoch milliseconds. */
interface Checked {
  did: string[];
  notBefore: number;
}

/** Time after which a DNS check that failed is repeated. */
const REPEAT_MILLISECONDS = 60_000;
/** Shortest time between two reads of whether a check is due. */
const READ_AGAIN_MILLISECONDS = 1000;

/** Makes the DNS checks during one run of the pump, which lasts while mails come. One at a time, and none of them holds up a mail. */
function checksOf(deps: WorkerDeps, accountId: number): { start(): void; end(): Promise<Checked> } {
  const all: Checked = { did: [], notBefore: 0 };
  let running: Promise<void> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    start() {
      const isEarly = performance.now() - readAt < READ_AGAIN_MILLISECONDS;
      if (running || isEarly || deps.systemNow().getTime() < all.notBefore) return;
      readAt = performance.now();
      running = checkIfDue(deps, accountId).then(({ did, notBefore }) => {
        all.did.push(...did);
        all.notBefore = notBefore;
        running = null;
      });
    },
    async end() {
      await running;
      return all;
    },
  };
}

/** Checks whether the DNS has the key of the account's sender, if that is due. Logs an error, because it must not stop the mails. */
async function checkIfDue(deps: WorkerDeps, accountId: number): Promise<Checked> {
  const now = deps.systemNow();
  try {
    const due = await nextCheck(deps.em, accountId);
    if (!due || due.at > now) return { did: [], notBefore: 0 };
    const check = await checkSenderKey(deps, { accountId, id: due.id, isAsked: false }, now);
    await inTransaction(deps.em, (em) => recordCheck(em, { accountId, check }, deps.systemNow()));
    return { did: [`checked the DNS for the key of sender ${due.id}: ${check.finding.kind}`], notBefore: 0 };
  } catch (error) {
    deps.log.warn({ account: accountId, reason: String(error) }, 'the DNS of a mail sender could not be checked');
    return { did: [], notBefore: now.getTime() + REPEAT_MILLISECONDS };
  }
}

/** When the pump works again: for the next email, or the next DNS check. */
async function nextWake(
  deps: WorkerDeps,
  { accountId, notBefore }: { accountId: number; notBefore: number },
): Promise<Pick<ActivityResult, 'wakeAt' | 'next'>> {
  const email = (await nextEmailAt(deps.em.fork(), accountId))?.getTime() ?? null;
  const due = (await nextCheck(deps.em, accountId))?.at.getTime() ?? null;
  const check = due === null ? null : Math.max(due, notBefore);
  if (check === null || (email !== null && email <= check)) return { wakeAt: email, next: 'next email' };
  return { wakeAt: check, next: 'next DNS check of the sender' };
}

async function recordResult(deps: WorkerDeps, email: Plain<Email>, result: MailResult): Promise<void> {
  const { accountId, id } = email;
  deps.metrics?.mailed(result.status);
  const key = { accountId, id };
  const hasReachedAll = result.status === 'sent' && !result.refused && !result.deferred;
  if (hasReachedAll && !email.progress) return recorded(() => recordSent(deps.em.fork(), key, deps.systemNow()));
  const tried = { ...key, customerId: email.customer?.id ?? null, before: email.attempts, result };
  await recorded(() => inTransaction(deps.em, (em) => recordRefused(em, tried, deps.systemNow())));
}

/** `suppressed`: nothing is sent to the recipient any more. The email is already marked as failed. */
type SendResult = MailResult | { status: 'suppressed' };

/** An email that the pump has taken. */
interface TakenEmail {
  email: Plain<Email>;
  mayBegin: () => Promise<void>;
}

/**
 * Sends an email with its PDF and all of its files, when a place is free, to those of its recipients that wait for it. Does not send it if its
 * own recipient waits and is suppressed.
 */
async function send(deps: WorkerDeps, account: Account, { email, mayBegin }: TakenEmail): Promise<SendResult> {
  const leave = await deps.mailPlaces?.[account.environment].take(account.id);
  try {
    await mayBegin(); // it may have waited for its place
    const waiting = email.progress?.waiting ?? [email.toAddress, ...email.bcc];
    const settings = await beforeSending({ em: deps.em.fork(), cipher: deps.cipher }, email, waiting);
    const recipient = settings.suppressed.get(email.toAddress);
    if (recipient) return await fail(deps, email, recipient);
    const recipients = waiting.filter((address) => !settings.suppressed.has(address));
    if (recipients.length === 0) return { status: 'permanent', reason: 'nothing is sent to its address any more' };
    return await sendInPlace(deps, account, { email, mayBegin, recipients, settings });
  } finally {
    leave?.();
  }
}

async function fail(deps: WorkerDeps, email: Plain<Email>, suppressed: Suppressed): Promise<SendResult> {
  const { accountId, id, toAddress } = email;
  const failed = { accountId, id, toAddress, customerId: email.customer?.id ?? null, suppressed };
  await inTransaction(deps.em, (em) => failSuppressed(em, failed, deps.systemNow()));
  return { status: 'suppressed' };
}

/** Sends an email. Without all of its attachments it is not sent, but retried; a PDF that cannot be rendered is replaced by a sentence. */
async function sendInPlace(
  deps: WorkerDeps,
  account: Account,
  { email: queued, mayBegin, recipients, settings }: TakenEmail & { recipients: string[]; settings: BeforeSending },
): Promise<MailResult> {
  const mailer = deps.mailers[account.environment];
  const { wording, sender } = settings;
  const built = await contentIn(deps, account, { queued, wording }).catch(resultOfFailure);
  if ('status' in built) return built;
  const { email, content } = built;
  await mayBegin();
  return mailer.send({
    messageId: email.messageId,
    from: senderOf(account, sender?.address ?? deps.mailFrom),
    dkim: sender?.dkim ?? null,
    to: [{ name: email.toName, address: email.toAddress }],
    bcc: email.bcc,
    recipients,
    subject: email.subject,
    unsubscribeUrl: email.unsubscribeUrl ?? null,
    ...content,
  });
}

/** The sender. Answers go to the account. */
function senderOf({ name, replyTo, email }: Account, address: string): OutgoingMail['from'] {
  const answers = replyTo ?? email;
  return answers ? { name, address, replyTo: answers } : { name, address };
}

/**
 * The result of an email whose content could not be built: a retry, or none if its document is withheld. Throws if the database is
 * unavailable: the pump itself is then retried.
 */
function resultOfFailure(error: unknown): Exclude<MailResult, { status: 'sent' }> {
  if (isUnavailable(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return { status: error instanceof Withheld ? 'permanent' : 'temporary', reason };
}
