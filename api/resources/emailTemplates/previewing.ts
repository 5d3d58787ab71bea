import { Unprintable } from '../../../billing/failures.ts';
import { type CustomTemplate, customTemplateNamed } from '../../../billing/mail/emailTemplates.ts';
import { nearest } from '../../../billing/money/nearest.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { mailedLines } from '../../../commands/documents/sending.ts';
import { withLines } from '../../../commands/mail/customizing.ts';
import { partsOf, readTemplate, type TemplateKey } from '../../../commands/mail/templates.ts';
import { mailOf, type PreviewedObject } from '../../../commands/previews/mails.ts';
import type { AskedStatement } from '../../../commands/statements/reading.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { inDryRun } from '../../../db/transaction.ts';
import type { RenderedEmail } from '../../../present/emails/layout.ts';
import { sampleEmail } from '../../../present/templates/sample.ts';
import type { Mistake, TemplateSource } from '../../../present/templates/source.ts';
import { sampleWordsOf } from '../../../words/samples.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { requireReading } from './fields.ts';

/** Refuses sources with a mistake, naming the part, the line and the nearest known name. */
export async function refuseMistakes(
  { deps, caller }: ApiRequest,
  of: { template: string; language: string },
  change: Partial<TemplateSource>,
): Promise<void> {
  const template = customTemplateNamed(of.template);
  if (!template) throw new Refusal('resource_missing', `There is no email template ${of.template}`, 'template');
  const source = { subject: null, html: null, text: null, ...change };
  const mistake = await asRefusal(deps.templates.check({ template, language: of.language, source }, caller.account.id));
  if (mistake) throw new Refusal('parameter_invalid', describe(mistake), mistake.part);
}

function describe({ message, line, column, unknown }: Mistake): string {
  const place = line === null ? '' : ` (line ${line}${column === null ? '' : `, column ${column}`})`;
  const meant = unknown ? nearest(unknown.name, unknown.known) : null;
  return `${message}${place}${meant === null ? '' : `; did you mean ${meant}?`}`;
}

/** The mail as the template writes it, with these changes of its sources. */
export async function previewOf(
  { deps, em, caller }: ApiRequest,
  { key, change, mail }: { key: TemplateKey; change: Partial<TemplateSource>; mail: RenderedEmail },
): Promise<{ subject: string; html: string; text: string }> {
  const accountId = caller.account.id;
  const { subject, html, text, view } = mail;
  const source = { ...partsOf(await readTemplate(em, accountId, key)), ...change };
  const parts = view ? await asRefusal(deps.templates.render(source, view, accountId)) : {};
  return { subject, html, text, ...parts };
}

/** A template that cannot be rendered is the fault of the request. */
async function asRefusal<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Unprintable) throw new Refusal('parameter_invalid', error.message, 'html');
    throw error;
  }
}

/**
 * The mail of a template about an object: its send is made and rolled back. Without an object, it is a sample in the language of the
 * template. `statement`: that of a customer; absent: the latest one. Refuses whatever the send refuses, and an object that the caller may not
 * read.
 */
export async function mailAbout(
  { deps, em, caller }: ApiRequest,
  { template, language }: { template: CustomTemplate; language: string },
  { object, statement }: { object: PreviewedObject | null; statement?: AskedStatement | undefined },
): Promise<RenderedEmail> {
  if (statement && object?.type !== 'customer')
    throw new Refusal('parameter_invalid', 'Only the mail about a customer has a statement', 'statement');
  requireReading(caller, object);
  if (!object) return sampleEmail(template, language, caller.account);
  const { type, id } = object;
  const reader = statement && (await em.findOne(Customer, { accountId: caller.account.id, id }));
  const asked = { caller, object, statement, template, name: reader?.name ?? sampleWordsOf(language).customer };
  const mail = await inDryRun(deps.em, (inner) => mailOf(inner, asked, deps.systemNow()));
  if (!mail.view || type === 'customer') return mail;
  const of = { account: caller.account, document: { type, id }, language: mail.view.language };
  const lines = await mailedLines(em, of, deps.systemNow());
  return { ...mail, view: withLines(mail.view, lines) };
}
