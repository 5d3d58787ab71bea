import type { EntityManager } from '../../orm.ts';
import { EmailTemplateVersion } from '../../schema/templates.ts';
import { textArray } from '../kernel/sql.ts';

/** The newest versions of the email templates that an account has changed, oldest first. */
export async function newestVersions(em: EntityManager, accountId: number): Promise<EmailTemplateVersion[]> {
  const newest = await em.execute<{ id: number }[]>(
    `select distinct on (template, language) id from email_template_version where account_id = ?
     order by template, language, version desc`,
    [accountId],
  );
  const ids = newest.map(({ id }) => id);
  return em.find(EmailTemplateVersion, { accountId, id: { $in: ids } }, { orderBy: { id: 'asc' } });
}

/** The languages in which an account has a wording of an email template, sorted. */
export async function languagesOf(em: EntityManager, accountId: number, code: string): Promise<string[]> {
  const rows = await em.execute<{ language: string }[]>(
    'select distinct language from email_template_version where account_id = ? and template = ? order by language',
    [accountId, code],
  );
  return rows.map(({ language }) => language);
}

/** Number of the wordings of an account's further email templates: one for each template and language. */
export async function countNamedWordings(em: EntityManager, accountId: number): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(distinct (v.template, v.language))::int as count from email_template_version v
     join named_email_template n on n.account_id = v.account_id and n.code = v.template where v.account_id = ?`,
    [accountId],
  );
  return row?.count ?? 0;
}

/** A step of a cadence that has one of these email templates; null: none has. `id` and `kind` are the cadence's, `name` is the step's. */
export async function stepWithEmailTemplate(
  em: EntityManager,
  accountId: number,
  templates: readonly string[],
): Promise<{ id: number; kind: string; name: string } | null> {
  const [step] = await em.execute<{ id: number; kind: string; name: string }[]>(
    `select c.id, c.kind, s ->> 'name' as name from chasing_cadence c, jsonb_array_elements(c.steps) s
     where c.account_id = ? and s ->> 'emailTemplateId' = any(?::text[]) order by c.id limit 1`,
    [accountId, textArray(templates)],
  );
  return step ?? null;
}

/** Id of the first cadence with a step of these properties; null: there is none. */
export async function cadenceWithStep(
  em: EntityManager,
  accountId: number,
  step: { id: number } | { smsTemplateId: string },
): Promise<number | null> {
  const [cadence] = await em.execute<{ id: number }[]>(
    'select id from chasing_cadence where account_id = ? and steps @> ?::jsonb order by id limit 1',
    [accountId, JSON.stringify([step])],
  );
  return cadence?.id ?? null;
}

/** Id of the first customer that names a further PDF template; null: none does. */
export async function customerWithPdfTemplate(
  em: EntityManager,
  accountId: number,
  code: string,
): Promise<number | null> {
  const [customer] = await em.execute<{ id: number }[]>(
    `select id from customer where account_id = ? and pdf_templates <> '{}' and ? = any(pdf_templates) order by id limit 1`,
    [accountId, code],
  );
  return customer?.id ?? null;
}

/** SQL: the built-in templates that are not plain, and the further ones, by their ids. */
export const allPdfTemplates = `(select account_id, kind as code, to_jsonb(p) as content from pdf_template p
  union all select account_id, code, to_jsonb(n) from named_pdf_template n)`;

/** SQL: email templates with the numbers of their newest versions in each language. */
export const newestEmailTemplates = `(select v.account_id, v.template, string_agg(v.language || v.version, ',' order by v.language) as versions,
    (select n.name from named_email_template n where n.account_id = v.account_id and n.code = v.template) as name
  from (select account_id, template, language, max(version) as version from email_template_version group by 1, 2, 3) v
  group by v.account_id, v.template)`;
