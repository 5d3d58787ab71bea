import { pdfOf } from '../commands/documentPdfs.ts';
import { dueEmails, nextEmailAt, recordSent, recordUnsent } from '../commands/mail.ts';
import type { MailResult, OutgoingMail } from '../commands/ports.ts';
import { findPrintable } from '../commands/printing.ts';
import { failpoint } from '../db/failpoint.ts';
import { isUnavailable } from '../db/failure.ts';
import type { Plain } from '../db/queries/plain.ts';
import { Account } from '../db/schema/account.ts';
import type { Email } from '../db/schema/email.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ProcessInput, Turn } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import { pump } from './pump.ts';

/** Sends an account's queued mail. The Message-ID is the row's, so that a second delivery can be recognised. */
export async function pumpMail(deps: WorkerDeps, input: ProcessInput): Promise<Turn> {
  const { accountId } = input;
  const account = await deps.em.fork().findOneOrFail(Account, { id: accountId });
  const live = deps.pumps.enter({ process: 'mail', ...input });
  const sent = await pump<Plain<Email>>(live, {
    take: (limit, busy) => dueEmails(deps.em.fork(), { accountId, limit, busy }, deps.systemNow()),
    idOf: (email) => email.id,
    send: async (email) => {
      const result = await send(deps, account, email);
      deps.metrics?.mailed(result.status);
      await failpoint('mail.sent');
      const key = { accountId, id: email.id };
      if (result.status === 'sent') await recordSent(deps.em.fork(), key, deps.systemNow());
      else await inTransaction(deps.em, (em) => recordUnsent(em, { ...key, result }, deps.systemNow()));
      if (email.clockId !== null) deps.clocks.ring();
      return false; // no mail waits for another
    },
  });
  const next = await nextEmailAt(deps.em.fork(), accountId);
  const did = sent === 0 ? [] : [`handled ${sent} emails`];
  return { did, wakeAt: next?.getTime() ?? null, next: 'next email', more: false, call: null };
}

/** A mail goes with its PDF and all of its files, or later. */
async function send(deps: WorkerDeps, account: Account, email: Plain<Email>): Promise<MailResult> {
  const mailer = deps.mailers[account.environment];
  const attachments = mailer.isKept ? [] : await attachmentsOf(deps, account, email).catch(whyNotWhole);
  if ('status' in attachments) return attachments;
  return mailer.send({
    messageId: email.messageId,
    from: { name: account.name, address: deps.mailFrom },
    to: [{ name: email.toName, address: email.toAddress }],
    bcc: email.bcc,
    subject: email.subject,
    html: email.html,
    text: email.text,
    attachments,
  });
}

/** Why a mail waits, or is never sent; without the database it is not known, and the pump itself comes again. */
function whyNotWhole(error: unknown): Exclude<MailResult, { status: 'sent' }> {
  if (isUnavailable(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return { status: error instanceof Withheld ? 'permanent' : 'temporary', reason };
}

async function attachmentsOf(
  deps: WorkerDeps,
  account: Account,
  email: Plain<Email>,
): Promise<OutgoingMail['attachments']> {
  return [...(await pdfsOf(deps, account, email)), ...(await filesOf(deps, email))];
}

/** What a mail is about may not be seen any more: a receipt of money that has gone back. */
class Withheld extends Error {}

/** A document that is no longer there has none. */
async function pdfsOf(
  deps: WorkerDeps,
  account: Account,
  { document }: Plain<Email>,
): Promise<OutgoingMail['attachments']> {
  if (!document) return [];
  const em = deps.em.fork();
  const printable = await findPrintable(em, { account, ...document });
  if (!printable) return [];
  if (printable.withheld !== null) throw new Withheld(printable.withheld);
  const { name, bytes } = await pdfOf({ em, pdf: deps.pdf }, { account, ...document, printable }, deps.systemNow());
  return [{ name, type: 'application/pdf', bytes }];
}

function filesOf({ fileStore }: WorkerDeps, { files }: Plain<Email>): Promise<OutgoingMail['attachments']> {
  return Promise.all(
    files.map(async ({ name, type, storeKey }) => {
      const stored = await fileStore.get(storeKey);
      if (!stored) throw new Error(`the file ${name} has no bytes`);
      return { name, type, bytes: Buffer.concat(await stored.toArray()) };
    }),
  );
}
