import { readableColour } from '../../billing/look/colour.ts';
import { lookOf, paletteOf, type ThemeLook } from '../../billing/look/theme.ts';
import type { MailBrand } from '../../billing/mail/mailView.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { addressLines } from '../../words/address.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { directionOf, isolated } from '../printed/formats.ts';
import type { Sender } from './writing.ts';

export type Brand = MailBrand;

/** The recipient, with the theme of its mails. */
export type Themed = Pick<Customer, 'shownTheme'>;

const INK = '#1c2530';
const LOGO = /^logo-([0-9a-f]{64})$/;

/** The look of a sender and of its theme for this customer, with texts in the language of the mail. */
export function brandOf(sender: Sender, customer: Themed | null | undefined, language: string): Brand {
  const { environment } = sender;
  const theme = customer?.shownTheme ?? null;
  const accentColor = theme?.accentColor ?? sender.accentColor ?? null;
  const logoHash = theme?.logoHash ?? sender.logoHash;
  return {
    accent: accentColor ? readableColour(accentColor) : INK,
    ...(theme && { theme: themeOf(lookOf({ ...theme, accentColor })) }),
    logo: logoHash ? `logo-${logoHash}` : null,
    address: isolated(addressLines(sender, null).join(', '), directionOf(language)),
    test: environment === 'sandbox' ? labelsOf(language).testDocument : null,
  };
}

function themeOf({ corners, ...look }: ThemeLook): NonNullable<Brand['theme']> {
  return { light: paletteOf(look, 'light'), dark: paletteOf(look, 'dark'), corners };
}

/** The hash of the logo that a mail shows; null: it shows none. */
export function logoIn(html: string): string | null {
  const [, id = ''] = /<img src="cid:([^"]*)"/.exec(html) ?? [];
  return LOGO.exec(id)?.[1] ?? null;
}
