import type { z } from 'zod';
import { Unprintable } from '../../../billing/failures.ts';
import { customTemplateNamed } from '../../../billing/mail/emailTemplates.ts';
import { type ChosenLogo, readLogo } from '../../../commands/accounts/logos.ts';
import { readPdfTemplate } from '../../../commands/catalog/pdfTemplates.ts';
import { renderPdf } from '../../../commands/documents/pdfs.ts';
import { mailedLines } from '../../../commands/documents/sending.ts';
import { withLines } from '../../../commands/mail/customizing.ts';
import { isCustom, partsOf, readTemplate } from '../../../commands/mail/templates.ts';
import { logoOf, mailOf, type QueuedMail } from '../../../commands/previews/mails.ts';
import { printableOf } from '../../../commands/previews/papers.ts';
import { tryTheme } from '../../../commands/previews/themes.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { inDryRun } from '../../../db/transaction.ts';
import { presentTheme } from '../../../present/catalog/templates.ts';
import { templated } from '../../../present/printed/template.ts';
import type { TemplateSource } from '../../../present/templates/source.ts';
import { sampleWordsOf } from '../../../words/samples.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { pathId, type Reply, reply } from '../../framework/route.ts';
import { requireReading } from '../emailTemplates/fields.ts';
import { fieldsOf, type themePreviewing, themes } from './resource.ts';

/**
 * The file that a request names as logo, read before the transaction, because the file store is remote. Null: none. Undefined: the logo stays
 * as it is.
 */
export async function chosenLogo(
  { em, deps, caller }: ApiRequest,
  fileId: number | null | undefined,
): Promise<ChosenLogo | null | undefined> {
  if (!fileId) return fileId === undefined ? undefined : null;
  return readLogo({ em, fileStore: deps.fileStore }, { accountId: caller.account.id, fileId });
}

type Body = z.output<typeof themePreviewing>;

/**
 * Answers with page and mail of a document with a theme, or with its PDF. The theme is changed, and the document sent, in a transaction that
 * is rolled back.
 */
export async function previewTheme(request: ApiRequest, body: Body): Promise<Reply> {
  const { deps, em, caller, previews } = request;
  const accountId = caller.account.id;
  const id = pathId(request, themes.name);
  requireReading(caller, body.object ?? null);
  const logo = await chosenLogo(request, body.logo);
  const change = { caller, id, fields: fieldsOf(body), logo };
  const shown = await inDryRun(deps.em, (inner) => tried(inner, request, { change, object: body.object ?? null }));
  if ('paper' in shown) {
    const document = templated(shown.paper, await readPdfTemplate(em, accountId, shown.paper.kind));
    return { statusCode: 200, json: null, pdf: await renderPdf(deps.pdf, document, accountId) };
  }
  const { page, theme } = shown;
  const html = shown.wording ? await wordedHtml(request, shown.mail, shown.wording) : shown.mail.html;
  const mail = previews.ofMail({ html, logo: shown.logo });
  const { warnings = [] } = presentTheme(theme, caller.account.accentColor ?? null);
  return reply(200, { page, mail, warnings });
}

/** The document with the theme, as paper or as page and mail. The mail is made for a paper, too, because its refusals apply. */
async function tried(em: EntityManager, request: ApiRequest, asked: Parameters<typeof tryTheme>[1]) {
  const { deps, caller, previews, medium } = request;
  const { account } = caller;
  const systemNow = deps.systemNow();
  const { theme, object } = await tryTheme(em, asked, systemNow);
  const name = sampleWordsOf(account.language).customer;
  const mail = await mailOf(em, { caller, object, template: null, name }, systemNow);
  const printable = await printableOf(em, { caller, object, isIssuedNow: true }, systemNow);
  if (medium === 'pdf') return { paper: await printable.print() };
  const wording = await wordingOf(em, account.id, mail);
  const language = mail.view?.language ?? account.language;
  const lines = wording && (await mailedLines(em, { account, document: object, language }, systemNow));
  return {
    theme,
    wording,
    page: await previews.ofDocument({ ...object, account, em, printable }),
    mail: mail.view ? { ...mail, view: withLines(mail.view, lines) } : mail,
    logo: await logoOf(em, account.id, mail.html),
  };
}

/** The words that the account has written for a mail; null: it has the default wording. */
async function wordingOf(
  em: EntityManager,
  accountId: number,
  { view, template: name }: QueuedMail,
): Promise<TemplateSource | null> {
  const template = customTemplateNamed(name);
  if (!template || !view) return null;
  const source = partsOf(await readTemplate(em, accountId, { template, language: view.language }));
  return isCustom(source) ? source : null;
}

/** The HTML of a mail in the words of the account. A template that cannot be rendered leaves the default wording, as when it is sent. */
async function wordedHtml(
  { deps, caller }: ApiRequest,
  { html, view }: QueuedMail,
  source: TemplateSource,
): Promise<string> {
  try {
    return (view && (await deps.templates.render(source, view, caller.account.id)).html) ?? html;
  } catch (error) {
    if (!(error instanceof Unprintable)) throw error;
    return html;
  }
}
