import type { ThemeLook } from '../../billing/look/theme.ts';
import { Refusal } from '../../billing/refusal.ts';
import { lockCountOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { customerWithTheme, lockTheme } from '../../db/queries/catalog/themes.ts';
import { Theme } from '../../db/schema/theme.ts';
import { type ChosenLogo, storeLogo } from '../accounts/logos.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';

export interface ThemeFields extends ThemeLook {
  name: string;
  isDefault: boolean;
  footer: string | null;
}

export interface ThemeKey {
  caller: Caller;
  id: number;
}

export interface NewTheme {
  caller: Caller;
  fields: ThemeFields;
  logo: ChosenLogo | null;
}

export interface ThemeChange extends ThemeKey {
  fields: { [Name in keyof ThemeFields]: ThemeFields[Name] | undefined };
  logo: ChosenLogo | null | undefined;
}

/** Most themes of an account. */
const MOST_THEMES = 100;

/** Creates a theme. A new default takes the place of the one before. Refuses an unfit logo. */
export async function createTheme(
  em: EntityManager,
  { caller, fields, logo }: NewTheme,
  systemNow: Date,
): Promise<Theme> {
  const accountId = caller.account.id;
  await lockCountOf(em, 'theme', accountId);
  if ((await em.count(Theme, { accountId })) >= MOST_THEMES)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_THEMES} themes`);
  if (fields.isDefault) await endDefault(em, accountId, systemNow);
  const picture = await storeLogo(em, { accountId }, { chosen: logo, systemNow });
  return em.create(Theme, { ...fields, ...picture, accountId, createdAt: systemNow, updatedAt: systemNow });
}

/** Changes a theme, for papers that are issued later, receipts, statements and mails. Refuses an unfit logo. Throws Missing. */
export async function updateTheme(
  em: EntityManager,
  { fields, logo, ...key }: ThemeChange,
  systemNow: Date,
): Promise<Theme> {
  await lockCountOf(em, 'theme', key.caller.account.id);
  const theme = await findTheme(em, key);
  const { accountId } = theme;
  if (fields.isDefault && !theme.isDefault) await endDefault(em, accountId, systemNow);
  const picture = await storeLogo(em, theme, { chosen: logo, systemNow });
  if (assignChanges(theme, { ...fields, ...picture })) theme.updatedAt = systemNow;
  return theme;
}

/** Deletes a theme. Refuses the default one and one that a customer has; issued documents keep its look. Throws Missing. */
export async function deleteTheme(em: EntityManager, key: ThemeKey): Promise<void> {
  const accountId = key.caller.account.id;
  await lockCountOf(em, 'theme', accountId);
  const theme = await lockTheme(em, { accountId, id: key.id }, 'update');
  if (!theme) throw new Missing('Theme', key.id);
  if (theme.isDefault) throw new Refusal('in_use', 'The theme is the default: make another one the default first');
  const customer = await customerWithTheme(em, theme);
  if (customer !== null) throw new Refusal('in_use', `Customer ${customer} has the theme: give it another one first`);
  em.remove(theme);
}

/** A theme of the account. Throws Missing. */
export async function findTheme(em: EntityManager, { caller, id }: ThemeKey): Promise<Theme> {
  const theme = await em.findOne(Theme, { accountId: caller.account.id, id });
  if (!theme) throw new Missing('Theme', id);
  return theme;
}

/** The theme that a request names for a customer, which stays until the commit. Refuses one that the account does not have. */
export async function findNamedTheme(em: EntityManager, accountId: number, id: number | null): Promise<Theme | null> {
  const theme = id === null ? null : await lockTheme(em, { accountId, id }, 'key share');
  if (id !== null && !theme) throw new Refusal('resource_missing', `Theme was not found: ${id}`, 'theme');
  return theme;
}

async function endDefault(em: EntityManager, accountId: number, systemNow: Date): Promise<void> {
  await em.nativeUpdate(Theme, { accountId, isDefault: true }, { isDefault: false, updatedAt: systemNow });
}
