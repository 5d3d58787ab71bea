import { readableColour } from '../../billing/colour.ts';
import type { MailBrand } from '../../billing/mailView.ts';
import { addressLines } from '../printed/address.ts';
import { directionOf, isolated } from '../printed/formats.ts';
import { labelsOf } from '../printed/labels.ts';
import type { Sender } from './writing.ts';

export type Brand = MailBrand;

const INK = '#1c2530';
const LOGO = /^logo-([0-9a-f]{64})$/;

/** The look of a sender, with texts in the language of the mail. */
export function brandOf(sender: Sender, language: string): Brand {
  const { accentColor, logoHash, environment } = sender;
  return {
    accent: accentColor ? readableColour(accentColor) : INK,
    logo: logoHash ? `logo-${logoHash}` : null,
    address: isolated(addressLines(sender, null).join(', '), directionOf(language)),
    test: environment === 'sandbox' ? labelsOf(language).testDocument : null,
  };
}

/** The hash of the logo that a mail shows; null: it shows none. */
export function logoIn(html: string): string | null {
  const [, id = ''] = /<img src="cid:([^"]*)"/.exec(html) ?? [];
  return LOGO.exec(id)?.[1] ?? null;
}
