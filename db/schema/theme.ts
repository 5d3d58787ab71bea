import { defineEntity, p } from '@mikro-orm/core';
import { type ThemeCorners, type ThemeFont, themeCorners, themeFonts } from '../../billing/look/theme.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';

/** #rrggbb; null: the default. */
const colour = () => p.string().length(7).nullable();

const ThemeSchema = defineEntity({
  name: 'Theme',
  policies: tenantPolicies,
  comment:
    'Look of papers, pages and mails; the default one of an account is that of customers without one of their own',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    isDefault: p.boolean(),
    accentColor: colour(),
    textColor: colour(),
    backgroundColor: colour(),
    darkAccentColor: colour(),
    darkTextColor: colour(),
    darkBackgroundColor: colour(),
    /** Id of the file from which the logo was taken, which may be deleted. The picture is in `logo`, by its hash. */
    logoFileId: p.integer().nullable(),
    logoHash: p.string().length(64).nullable(),
    font: p.string().length(32).$type<ThemeFont>(),
    corners: p.string().length(16).$type<ThemeCorners>(),
    /** Text at the foot of papers; null: that of the account. */
    footer: p.text().nullable(),
    ...timestamps,
  },
  indexes: [
    {
      name: 'theme_default',
      expression: 'create unique index "theme_default" on "theme" ("account_id") where is_default',
    },
    { name: 'theme_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'theme_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'theme_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [oneOf('theme', 'font', themeFonts), oneOf('theme', 'corners', themeCorners)],
});
export class Theme extends ThemeSchema.class {}
ThemeSchema.setClass(Theme);
