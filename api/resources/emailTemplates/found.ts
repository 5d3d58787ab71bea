import { type CustomTemplate, customTemplateNamed, customTemplates } from '../../../billing/mail/emailTemplates.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { findNamed, namedTemplates } from '../../../commands/catalog/namedEmailTemplates.ts';
import { splitId } from '../../../commands/catalog/templates.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import { changedTemplates, type EmailTemplateState, isCustom, readTemplate } from '../../../commands/mail/templates.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { languagesOf } from '../../../db/queries/catalog/templates.ts';
import type { Account } from '../../../db/schema/account.ts';
import type { NamedEmailTemplate } from '../../../db/schema/templates.ts';
import type { ShownTemplate, TemplateHead } from '../../../present/mail/email.ts';

/** The wording that an id in a path names. */
export interface FoundTemplate {
  key: { template: string; language: string };
  kind: CustomTemplate;
  /** The further template; null: it is built in. */
  named: NamedEmailTemplate | null;
  /** The languages that the id names: one, or all of a further template. */
  languages: readonly string[];
}

export const NAME = 'Email template';

const places: readonly string[] = customTemplates;

/**
 * The wording of a built-in or further template in one language. An id without a language finds that of the account, else the first one of a
 * further one. Throws Missing.
 */
export async function findTemplate(em: EntityManager, account: Account, id: string): Promise<FoundTemplate> {
  const { name, language } = splitId(id);
  const kind = customTemplateNamed(name);
  if (kind) {
    const spoken = language ?? account.language;
    return { key: { template: kind, language: spoken }, kind, named: null, languages: [spoken] };
  }
  const whole = await findNamed(em, account.id, id);
  const named = whole ?? (language === null ? null : await findNamed(em, account.id, name));
  const known = named ? await languagesOf(em, account.id, named.code) : [];
  const usual = known.includes(account.language) ? account.language : known[0];
  const found = whole ? usual : known.find((one) => one === language);
  if (!named || found === undefined) throw new Missing(NAME, id);
  const languages = whole ? known : [found];
  return { key: { template: named.code, language: found }, kind: named.kind, named, languages };
}

/** Refuses to change a wording by an id that names several. */
export function refuseSeveral({ key, languages }: FoundTemplate): void {
  const [first] = languages;
  if (languages.length > 1)
    throw new Refusal(
      'parameter_invalid',
      `Email template ${key.template} has the languages ${languages.join(', ')}: name one, such as ${key.template}-${first}`,
    );
}

export const headOf = ({ kind, named }: Pick<FoundTemplate, 'kind' | 'named'>): TemplateHead => ({
  kind,
  name: named?.name ?? null,
});

/** All built-in templates in the language of the account, those that it changed in others, and then the further ones. */
export async function allTemplates(
  em: EntityManager,
  { id, language }: Account,
): Promise<(ShownTemplate & TemplateHead)[]> {
  const further = await namedTemplates(em, id);
  const changed = await changedTemplates(em, id);
  const builtIn = changed.filter(
    (one) => customTemplateNamed(one.template) && (isCustom(one) || one.language === language),
  );
  const stored = new Set(builtIn.filter((one) => one.language === language).map(({ template }) => template));
  const unchanged = await Promise.all(
    customTemplates
      .filter((template) => !stored.has(template))
      .map((template) => readTemplate(em, id, { template, language })),
  );
  const place = ({ template }: EmailTemplateState) => places.indexOf(template);
  const all = [...builtIn, ...unchanged].toSorted((a, b) => place(a) - place(b));
  const own = further.flatMap((named) =>
    changed
      .filter(({ template }) => template === named.code)
      .toSorted((a, b) => (a.language < b.language ? -1 : 1))
      .map((state) => ({ ...state, ...headOf({ kind: named.kind, named }) })),
  );
  return [...all.flatMap(asBuiltIn), ...own];
}

function asBuiltIn(state: EmailTemplateState): (ShownTemplate & TemplateHead)[] {
  const kind = customTemplateNamed(state.template);
  return kind ? [{ ...state, kind, name: null }] : [];
}
