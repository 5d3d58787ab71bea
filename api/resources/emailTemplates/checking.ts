import { customTemplateNamed } from '../../../billing/emailTemplates.ts';
import { nearest } from '../../../billing/nearest.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { Unprintable } from '../../../billing/unprintable.ts';
import { partsOf, readTemplate, type TemplateKey } from '../../../commands/mail/templates.ts';
import type { RenderedEmail } from '../../../present/emails/layout.ts';
import type { Mistake, TemplateSource } from '../../../present/templates/source.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';

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
