import type { EntityManager } from '../../db/orm.ts';
import { OPEN_ONCE } from '../../db/schema/problem.ts';
import { isSpoken } from '../../present/printed/labels.ts';

/** The language at the end of an id, such as `de` of `second_notice-de`; null: it ends with none. */
export function languageOf(id: string): string | null {
  const [, language = ''] = /^.+-([a-z]{2})$/.exec(id) ?? [];
  return isSpoken(language) ? language : null;
}

/** The name and the language of an id; null: it names all languages. */
export function splitId(id: string): { name: string; language: string | null } {
  const language = languageOf(id);
  return { name: language === null ? id : id.slice(0, -language.length - 1), language };
}

const SUBJECT = 'email_template';

/** Records that a customized template could not be rendered, so that a mail was sent in the default wording. */
export async function reportTemplate(
  em: EntityManager,
  { accountId, id, message }: { accountId: number; id: number; message: string },
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `insert into problem (account_id, subject_type, subject_id, step, message, since, updated_at, tries)
     values (?, ?, ?, 'render a mail', ?, ?, ?, 1) on conflict ${OPEN_ONCE}
     do update set message = excluded.message, updated_at = excluded.updated_at, tries = problem.tries + 1`,
    [accountId, SUBJECT, id, message, systemNow, systemNow],
  );
}

/** Closes the problems of all versions of a template in some languages. */
export async function closeTemplateProblems(
  em: EntityManager,
  { accountId, template, languages }: { accountId: number; template: string; languages: readonly string[] },
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `update problem set closed_at = ?, updated_at = ? where account_id = ? and subject_type = ? and closed_at is null and subject_id in
       (select id from email_template_version where account_id = ? and template = ? and language = any(?::text[]))`,
    [systemNow, systemNow, accountId, SUBJECT, accountId, template, `{${languages.join(',')}}`],
  );
}
