import { randomBytes } from 'node:crypto';
import { type CustomTemplate, customTemplateNamed, customTemplates } from '../../billing/mail/emailTemplates.ts';
import { nearest } from '../../billing/money/nearest.ts';
import { cut, Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { countNamedWordings, languagesOf, stepWithEmailTemplate } from '../../db/queries/catalog/templates.ts';
import { closeProblemsOfTemplate } from '../../db/queries/processes/problems.ts';
import { EmailTemplateVersion, NamedEmailTemplate } from '../../db/schema/templates.ts';
import { isSpoken } from '../../words/languages.ts';
import type { Caller } from '../kernel/caller.ts';
import { languageOf, splitId } from './templates.ts';

/** A template that a send or a step of a cadence names. */
export interface ChosenTemplate {
  kind: CustomTemplate;
  /** The code of a further template; null: the built-in one. */
  code: string | null;
  /** The language of the mail; null: that of its reader. */
  language: string | null;
}

/** Most wordings of further templates of an account. */
const MOST_WORDINGS = 100;
/** A path has room for the code and its language. */
const MOST_CHARACTERS = 60;

/** The further template with this code; null: there is none. */
export function findNamed(em: EntityManager, accountId: number, code: string): Promise<NamedEmailTemplate | null> {
  return em.findOne(NamedEmailTemplate, { accountId, code });
}

/** All further templates of an account, the oldest first. */
export function namedTemplates(em: EntityManager, accountId: number): Promise<NamedEmailTemplate[]> {
  return em.find(NamedEmailTemplate, { accountId }, { orderBy: { id: 'asc' } });
}

/**
 * The template that an id names: a built-in or further one, in all of its languages or in one. Null: the account has no such template, or
 * not in this language.
 */
export async function findChosen(em: EntityManager, accountId: number, id: string): Promise<ChosenTemplate | null> {
  const { name, language } = splitId(id);
  const kind = customTemplateNamed(name);
  if (kind) return { kind, code: null, language };
  const named =
    (await findNamed(em, accountId, id)) ?? (language === null ? null : await findNamed(em, accountId, name));
  if (!named) return null;
  const { code } = named;
  if (code === id) return { kind: named.kind, code, language: null };
  const known = await languagesOf(em, accountId, code);
  return language !== null && known.includes(language) ? { kind: named.kind, code, language } : null;
}

/** The template that a request names, of one of some kinds. Refuses any other, naming the nearest. */
export async function chooseTemplate<Kind extends CustomTemplate>(
  em: EntityManager,
  { accountId, id, kinds, param }: { accountId: number; id: string; kinds: readonly Kind[]; param: string },
): Promise<ChosenTemplate & { kind: Kind }> {
  const found = await findChosen(em, accountId, id);
  const kind = kinds.find((one) => one === found?.kind);
  if (found && kind) return { ...found, kind };
  const known = kinds.join(', ');
  if (found?.code)
    throw new Refusal(
      'parameter_invalid',
      `Template must be of the kind ${known}: ${cut(id)} is of ${found.kind}`,
      param,
    );
  if (found) throw new Refusal('resource_missing', `Template must be one of ${known}: ${cut(id)}`, param);
  const own = (await namedTemplates(em, accountId)).filter((one) => kinds.some((wanted) => wanted === one.kind));
  const close = nearest(id, [...kinds, ...own.map(({ code }) => code)]);
  const hint = close === null ? '' : `; did you mean ${close}?`;
  throw new Refusal(
    'resource_missing',
    `Template must be one of ${known}, or a further one of these: ${cut(id)}${hint}`,
    param,
  );
}

export interface NewNamedTemplate {
  caller: Caller;
  /** Null: one is generated. */
  id: string | null;
  kind: string;
  language: string;
  name: string | null | undefined;
}

/**
 * Creates a further template of a kind, or adds a language to one. Returns its code; the caller saves the wording. Refuses an unknown kind,
 * an id of a built-in template, another kind of an existing one, and a language that it has.
 */
export async function addNamedTemplate(
  em: EntityManager,
  { caller, id, kind: asked, language, name }: NewNamedTemplate,
  systemNow: Date,
): Promise<NamedEmailTemplate> {
  const accountId = caller.account.id;
  await lockCountOf(em, 'email_template', accountId);
  const { kind, code, existing } = await checkNewTemplate(em, { caller, id, kind: asked, language });
  if (!existing)
    return em.create(NamedEmailTemplate, {
      accountId,
      code,
      kind,
      name: name ?? null,
      createdAt: systemNow,
      updatedAt: systemNow,
    });
  if (name !== undefined) Object.assign(existing, { name, updatedAt: systemNow });
  return existing;
}

/** Refuses what `addNamedTemplate` refuses. `existing`: the template that gets another language; null: it is new. */
export async function checkNewTemplate(
  em: EntityManager,
  { caller, id, kind: asked, language }: Omit<NewNamedTemplate, 'name'>,
): Promise<{ kind: CustomTemplate; code: string; existing: NamedEmailTemplate | null }> {
  const accountId = caller.account.id;
  const kind = knownKind(asked);
  if (!isSpoken(language))
    throw new Refusal('parameter_invalid', `Mails are not written in the language ${language}`, 'language');
  const code = id === null ? `email_template_${randomBytes(8).toString('hex')}` : codeOf(id, language);
  const existing = await findNamed(em, accountId, code);
  if (existing && existing.kind !== kind)
    throw new Refusal('state_conflict', `Email template ${code} is of the kind ${existing.kind}`, 'template');
  if (existing && (await languagesOf(em, accountId, code)).includes(language))
    throw new Refusal(
      'already_taken',
      `Email template ${code} has the language ${language} already: change ${code}-${language}`,
      'id',
    );
  await checkCount(em, accountId);
  return { kind, code, existing };
}

function knownKind(asked: string): CustomTemplate {
  const kind = customTemplateNamed(asked);
  if (kind) return kind;
  const close = nearest(asked, customTemplates);
  throw new Refusal(
    'resource_missing',
    `There is no email template ${cut(asked)}${close ? `; did you mean ${close}?` : ''}`,
    'template',
  );
}

/** The code that a new template gets. An id may end with its own language. */
function codeOf(id: string, language: string): string {
  const own = languageOf(id);
  const code = own === language ? id.slice(0, -language.length - 1) : id;
  if (own !== null && own !== language)
    throw new Refusal(
      'parameter_invalid',
      `The end of the id names the language ${own}, and language is ${language}`,
      'id',
    );
  if (languageOf(code) !== null)
    throw new Refusal('parameter_invalid', `An id must not end with a language: ${cut(code)}`, 'id');
  if (code.length < 2 || code.length > MOST_CHARACTERS)
    throw new Refusal(
      'parameter_invalid',
      `The id of an email template has 2 to ${MOST_CHARACTERS} characters: ${cut(code)}`,
      'id',
    );
  if (customTemplateNamed(code))
    throw new Refusal(
      'already_taken',
      `${code} is built in: change it by PATCH /email_templates/${code}-${language}`,
      'id',
    );
  return code;
}

async function checkCount(em: EntityManager, accountId: number): Promise<void> {
  if ((await countNamedWordings(em, accountId)) >= MOST_WORDINGS)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_WORDINGS} wordings of further email templates`);
}

/**
 * Deletes a further template in one language, or in all. Its mails that wait have the default wording. Refuses the last language, and one
 * that is named with it, while a step of a cadence names it.
 */
export async function deleteNamedTemplate(
  em: EntityManager,
  { caller, named, language }: { caller: Caller; named: NamedEmailTemplate; language: string | null },
  systemNow: Date,
): Promise<void> {
  const { accountId, code } = named;
  await lockCountOf(em, 'chasing_cadence', caller.account.id);
  await lockCountOf(em, 'email_template', accountId);
  const known = await languagesOf(em, accountId, code);
  const left = language === null ? [] : known.filter((one) => one !== language);
  const gone = language === null ? known : [language];
  await refuseNamed(em, accountId, [...gone.map((one) => `${code}-${one}`), ...(left.length === 0 ? [code] : [])]);
  await closeProblemsOfTemplate(em, { accountId, template: code, languages: gone }, systemNow);
  await em.nativeDelete(EmailTemplateVersion, { accountId, template: code, language: { $in: gone } });
  if (left.length === 0) em.remove(named);
}

async function refuseNamed(em: EntityManager, accountId: number, ids: readonly string[]): Promise<void> {
  const step = await stepWithEmailTemplate(em, accountId, ids);
  if (!step) return;
  const cadence = step.kind === 'invoice' ? 'invoice chasing cadence' : 'chasing cadence';
  throw new Refusal(
    'in_use',
    `Step "${cut(step.name)}" of ${cadence} ${step.id} has the email template: change it first`,
  );
}
