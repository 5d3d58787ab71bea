import { Unprintable } from '../billing/failures.ts';
import type { BeforeSending } from '../commands/bounces/suppressing.ts';
import { pdfOf } from '../commands/documents/pdfs.ts';
import { findPrintable, type Printable } from '../commands/documents/printing.ts';
import { mailedLines } from '../commands/documents/sending.ts';
import { customized } from '../commands/mail/customizing.ts';
import type { MailAttachment, OutgoingMail } from '../commands/ports/ports.ts';
import { mailedStatementPdf } from '../commands/statements/mailed.ts';
import type { EntityManager } from '../db/orm.ts';
import { logoRow } from '../db/queries/documents/printed.ts';
import type { Plain } from '../db/queries/kernel/plain.ts';
import type { Account } from '../db/schema/account.ts';
import type { Email, MailedStatement } from '../db/schema/email.ts';
import { logoIn } from '../present/emails/brand.ts';
import { withoutPdf } from '../present/emails/html.ts';
import type { WorkerDeps } from './deps.ts';

/** The email in the account's wording, with its content. */
export async function contentIn(
  deps: WorkerDeps,
  account: Account,
  { queued, wording }: { queued: Plain<Email>; wording: BeforeSending['wording'] },
) {
  const { templates } = deps;
  const em = deps.em.fork();
  const document = queued.document?.type === 'statement' ? null : (queued.document ?? null);
  const printed = { account, document, language: queued.view?.language ?? account.language };
  const linesOf = () => mailedLines(em, printed, deps.systemNow());
  const email = await customized({ em, templates, wording, linesOf }, queued, deps.systemNow());
  const build = deps.mailers[account.environment].isKept ? keptContent : contentOf;
  return { email, content: await build(deps, account, email) };
}

type Content = Pick<OutgoingMail, 'html' | 'text' | 'attachments'>;

function asWritten({ html, text }: Plain<Email>): Content {
  return { html, text, attachments: [] };
}

/** The content of an email that is only kept: no attachments. A receipt or an invoice can be withheld, too. */
async function keptContent(deps: WorkerDeps, account: Account, email: Plain<Email>): Promise<Content> {
  if (email.document?.type === 'payment' || email.document?.type === 'invoice') await printableOf(deps, account, email);
  return asWritten(email);
}

async function contentOf(deps: WorkerDeps, account: Account, email: Plain<Email>): Promise<Content> {
  const written = await withPdf(deps, account, email);
  const logo = await logoOf(deps.em.fork(), account, email);
  return { ...written, attachments: [...logo, ...written.attachments, ...filesOf(deps, email)] };
}

/** The document of an email is withheld, so the email must not be sent: for example, the receipt of a voided payment. */
export class Withheld extends Error {}

/** Number of tries to render a PDF, a minute apart, before the email is sent without it. A slow rendering may have lacked CPU time. */
const PDF_TRIES = 2;

/** The document of an email. Null: it has none, or the document no longer exists. Throws Withheld. */
async function printableOf(
  deps: Pick<WorkerDeps, 'em' | 'systemNow'>,
  account: Account,
  { document }: Plain<Email>,
): Promise<Printable | null> {
  const printable =
    document && document.type !== 'statement'
      ? await findPrintable(deps.em.fork(), { account, ...document }, deps.systemNow())
      : null;
  if (printable?.withheld) throw new Withheld(printable.withheld);
  const to = printable?.paying;
  if (to?.type === 'invoice' && to.why === 'voided') throw new Withheld('The invoice was voided before it was sent');
  return printable;
}

/** The email with the PDF of its document, if that still exists. */
async function withPdf(deps: WorkerDeps, account: Account, email: Plain<Email>): Promise<Content> {
  const { document } = email;
  const written = asWritten(email);
  const em = deps.em.fork();
  if (document?.type === 'statement') return withStatement(deps, account, { written, document });
  const printable = await printableOf(deps, account, email);
  if (!document || !printable) return written;
  try {
    const { name, bytes } = await pdfOf({ em, pdf: deps.pdf }, { account, ...document, printable }, deps.systemNow());
    return { ...written, attachments: [{ name, type: 'application/pdf', bytes }] };
  } catch (error) {
    if (!(error instanceof Unprintable) || error.tries < PDF_TRIES) throw error;
    const { language } = await printable.print();
    return { ...written, ...withoutPdf(written, language) };
  }
}

/** The email with the PDF of its statement. Without one if the statement cannot be printed, or its customer was merged meanwhile. */
async function withStatement(
  deps: WorkerDeps,
  account: Account,
  { written, document }: { written: Content; document: MailedStatement },
): Promise<Content> {
  try {
    const pdf = await mailedStatementPdf({ em: deps.em.fork(), pdf: deps.pdf }, account, document);
    if (!pdf) return written;
    return { ...written, attachments: [{ name: pdf.name, type: 'application/pdf', bytes: pdf.bytes }] };
  } catch (error) {
    if (!(error instanceof Unprintable)) throw error;
    return { ...written, ...withoutPdf(written, account.language) };
  }
}

/** The logo that the email shows. */
async function logoOf(em: EntityManager, account: Account, { html }: Plain<Email>): Promise<MailAttachment[]> {
  const hash = logoIn(html);
  const logo = hash === null ? null : await logoRow(em, { accountId: account.id, hash });
  if (!logo) return [];
  const name = logo.type === 'image/png' ? 'logo.png' : 'logo.jpg';
  return [{ name, type: logo.type, bytes: logo.bytes, contentId: `logo-${hash}` }];
}

/** The attached files. They are streamed, because twenty emails with 10 MiB each would fill the worker's memory. */
function filesOf({ fileStore }: WorkerDeps, { files }: Plain<Email>): MailAttachment[] {
  return files.map(({ name, type, storeKey }) => {
    const open = async () => {
      const stored = await fileStore.get(storeKey);
      if (!stored) throw new Error(`the file ${name} has no bytes`);
      return stored;
    };
    return { name, type, open };
  });
}
