import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { newestVersions } from '../../db/queries/catalog/templates.ts';
import { closeProblemsOfTemplate } from '../../db/queries/processes/problems.ts';
import { EmailTemplateVersion } from '../../db/schema/templates.ts';
import type { TemplateSource } from '../../present/templates/source.ts';
import type { Caller } from '../kernel/caller.ts';

/** The wording of a template in a language. `template`: a built-in one, or the code of a further one. */
export interface TemplateKey {
  template: string;
  language: string;
}

/** A template as an account uses it. `version` 0: the account never changed it. */
export interface EmailTemplateState extends TemplateKey, TemplateSource {
  version: number;
  updatedBy: number | null;
  updatedAt: Date | null;
}

/** Number of versions that are kept of each template and language. */
export const MOST_VERSIONS = 50;

const untouched = { version: 0, subject: null, html: null, text: null, updatedBy: null, updatedAt: null };

/** The template as the account uses it. */
export async function readTemplate(
  em: EntityManager,
  accountId: number,
  { template, language }: TemplateKey,
): Promise<EmailTemplateState> {
  const latest = await latestVersion(em, accountId, { template, language });
  return latest ? stateOf(latest) : { ...untouched, template, language };
}

/** The version in use; null: the account never changed the template. */
function latestVersion(
  em: EntityManager,
  accountId: number,
  { template, language }: TemplateKey,
): Promise<EmailTemplateVersion | null> {
  return em.findOne(EmailTemplateVersion, { accountId, template, language }, { orderBy: { version: 'desc' } });
}

/** The templates of an account that it has changed, by template and language. */
export async function changedTemplates(em: EntityManager, accountId: number): Promise<EmailTemplateState[]> {
  return (await newestVersions(em, accountId)).map(stateOf);
}

export function stateOf(row: EmailTemplateVersion): EmailTemplateState {
  const { template, language, version, subject = null, html = null, text = null, updatedBy, createdAt } = row;
  return { template, language, version, subject, html, text, updatedBy, updatedAt: createdAt };
}

/** The sources of a template. */
export const partsOf = ({ subject, html, text }: TemplateSource): TemplateSource => ({ subject, html, text });

/** Whether the account has a wording of its own. */
export function isCustom({ subject, html, text }: TemplateSource): boolean {
  return subject !== null || html !== null || text !== null;
}

/** Stores checked parts of a source as the newest version, unless nothing changes, and closes the problems of earlier ones. */
export async function saveTemplate(
  em: EntityManager,
  { caller, key, source }: { caller: Caller; key: TemplateKey; source: Partial<TemplateSource> },
  systemNow: Date,
): Promise<EmailTemplateState> {
  const accountId = caller.account.id;
  await lockCountOf(em, 'email_template', accountId);
  const before = await readTemplate(em, accountId, key);
  const { subject, html, text } = { ...partsOf(before), ...source };
  if (subject === before.subject && html === before.html && text === before.text) return before;
  const version = before.version + 1;
  const values = { subject, html, text, version, updatedBy: caller.userId, createdAt: systemNow };
  const row = em.create(EmailTemplateVersion, { accountId, ...key, ...values });
  await em.nativeDelete(EmailTemplateVersion, { accountId, ...key, version: { $lte: version - MOST_VERSIONS } });
  await closeProblemsOfTemplate(em, { accountId, template: key.template, languages: [key.language] }, systemNow);
  return stateOf(row);
}

/** A stored version. Refuses one that does not exist any more. */
export async function versionOf(
  em: EntityManager,
  accountId: number,
  { version, ...key }: TemplateKey & { version: number },
): Promise<EmailTemplateState> {
  const row = await em.findOne(EmailTemplateVersion, { accountId, ...key, version });
  if (!row) throw new Refusal('resource_missing', `Version was not found: ${version}`, 'version');
  return stateOf(row);
}

/** All kept versions, the newest first. */
export async function versionsOf(
  em: EntityManager,
  accountId: number,
  key: TemplateKey,
): Promise<EmailTemplateState[]> {
  const rows = await em.find(EmailTemplateVersion, { accountId, ...key }, { orderBy: { version: 'desc' } });
  return rows.map(stateOf);
}
