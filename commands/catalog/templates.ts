import type { EntityManager } from '../../db/orm.ts';
import { reportOf } from '../../db/queries/processes/problems.ts';
import { isSpoken } from '../../words/languages.ts';

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

/** Records that a customized template could not be rendered, so that a mail was sent in the default wording. */
export async function reportTemplate(
  em: EntityManager,
  { accountId, id, message }: { accountId: number; id: number; message: string },
  systemNow: Date,
): Promise<void> {
  const subject = { accountId, subjectType: 'email_template', subjectId: id };
  await reportOf(em, { ...subject, step: 'render a mail', message }, systemNow);
}
