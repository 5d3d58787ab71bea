import type { CustomTemplate } from '../../../billing/emailTemplates.ts';
import { mailedLines } from '../../../commands/documents/mailedLines.ts';
import { withLines } from '../../../commands/mail/customizing.ts';
import { mailOf, type PreviewedObject } from '../../../commands/previews/mails.ts';
import { inDryRun } from '../../../db/transaction.ts';
import type { RenderedEmail } from '../../../present/emails/layout.ts';
import { sampleWordsOf } from '../../../present/printed/sampleWords.ts';
import { sampleEmail } from '../../../present/templates/sample.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';

/**
 * The mail of a template about an object: its send is made and rolled back. Without an object, it is a sample in the language of the
 * template. Refuses whatever the send refuses.
 */
export async function mailAbout(
  { deps, em, caller }: ApiRequest,
  { template, language }: { template: CustomTemplate; language: string },
  object: PreviewedObject | null,
): Promise<RenderedEmail> {
  if (!object) return sampleEmail(template, language, caller.account);
  const { type, id } = object;
  const asked = { caller, object, template, name: sampleWordsOf(language).customer };
  const mail = await inDryRun(deps.em, (inner) => mailOf(inner, asked, deps.systemNow()));
  if (!mail.view || type === 'customer') return mail;
  const of = { account: caller.account, document: { type, id }, language: mail.view.language };
  const lines = await mailedLines(em, of, deps.systemNow());
  return { ...mail, view: withLines(mail.view, lines) };
}
