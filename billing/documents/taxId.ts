/** Kinds of tax ids: a registration for VAT, one for GST, and the number of a taxpayer. */
export const taxIdKinds = ['vat', 'gst', 'tax_number'] as const;
export type TaxIdKind = (typeof taxIdKinds)[number];

/** What follows a country's prefix in its VAT numbers: for countries of the EU, and for others whose numbers begin with a prefix. */
const VAT_NUMBERS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CH: /^E\d{9}(MWST|TVA|IVA)?$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** Countries whose VAT numbers begin with another code than their own. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL' };

/** A tax id in upper case, without spaces, dots and hyphens. */
export function plainTaxId(taxId: string): string {
  return taxId.toUpperCase().replaceAll(/[\s.-]/g, '');
}

/** Whether a tax id is a well-formed VAT number of a country. Spaces, dots and hyphens do not matter. */
export function isVatNumberOf(taxId: string, country: string): boolean {
  const form = Object.hasOwn(VAT_NUMBERS, country) ? VAT_NUMBERS[country] : undefined;
  const prefix = PREFIXES[country] ?? country;
  const plain = plainTaxId(taxId);
  return form !== undefined && plain.startsWith(prefix) && form.test(plain.slice(prefix.length));
}

/** Whether a tax id can be one of a country by its form: a VAT number where these are known, otherwise letters and digits. */
export function isTaxIdOf(taxId: string, country: string | null): boolean {
  if (country !== null && Object.hasOwn(VAT_NUMBERS, country)) return isVatNumberOf(taxId, country);
  return /^[A-Z0-9/]{4,30}$/.test(plainTaxId(taxId));
}

/** Names of the tax ids of a country, in its own language. */
type Names = { readonly [Kind in TaxIdKind]?: string };

const NAMES: Readonly<Record<string, Names>> = {
  AE: { vat: 'TRN', tax_number: 'TRN' },
  AT: { vat: 'UID-Nr.', tax_number: 'Steuernummer' },
  AU: { gst: 'ABN', tax_number: 'ABN' },
  BE: { vat: 'BTW/TVA' },
  BG: { vat: 'ДДС №' },
  BR: { tax_number: 'CNPJ' },
  CA: { gst: 'GST/HST', tax_number: 'BN' },
  CH: { vat: 'MWST/TVA/IVA' },
  CN: { tax_number: '纳税人识别号' },
  CY: { vat: 'ΦΠΑ' },
  CZ: { vat: 'DIČ', tax_number: 'DIČ' },
  DE: { vat: 'USt-IdNr.', tax_number: 'Steuernummer' },
  DK: { vat: 'CVR-nr.', tax_number: 'CVR-nr.' },
  EE: { vat: 'KMKR' },
  EG: { vat: 'الرقم الضريبي', tax_number: 'الرقم الضريبي' },
  ES: { vat: 'NIF-IVA', tax_number: 'NIF' },
  FI: { vat: 'ALV-nro', tax_number: 'Y-tunnus' },
  FR: { vat: 'N° TVA', tax_number: 'SIREN' },
  GB: { vat: 'VAT No.', tax_number: 'UTR' },
  GR: { vat: 'ΑΦΜ', tax_number: 'ΑΦΜ' },
  HR: { vat: 'PDV ID', tax_number: 'OIB' },
  HU: { vat: 'Közösségi adószám', tax_number: 'Adószám' },
  IE: { vat: 'VAT No.' },
  IL: { vat: 'עוסק מורשה', tax_number: 'ח.פ.' },
  IN: { gst: 'GSTIN', tax_number: 'PAN' },
  IT: { vat: 'P. IVA', tax_number: 'C.F.' },
  JP: { vat: '登録番号', tax_number: '法人番号' },
  LT: { vat: 'PVM kodas' },
  LU: { vat: 'N° TVA' },
  LV: { vat: 'PVN Nr.' },
  MT: { vat: 'VAT No.' },
  MX: { tax_number: 'RFC' },
  NL: { vat: 'Btw-nr.', tax_number: 'RSIN' },
  NO: { vat: 'Org.nr. MVA', tax_number: 'Org.nr.' },
  NZ: { gst: 'GST No.', tax_number: 'IRD No.' },
  PL: { vat: 'NIP', tax_number: 'NIP' },
  PT: { vat: 'NIF', tax_number: 'NIF' },
  RO: { vat: 'CIF', tax_number: 'CIF' },
  SA: { vat: 'الرقم الضريبي', tax_number: 'الرقم الضريبي' },
  SE: { vat: 'Momsreg.nr', tax_number: 'Org.nr' },
  SG: { gst: 'GST Reg. No.', tax_number: 'UEN' },
  SI: { vat: 'ID za DDV' },
  SK: { vat: 'IČ DPH', tax_number: 'DIČ' },
  TR: { tax_number: 'VKN' },
  US: { tax_number: 'EIN' },
  ZA: { vat: 'VAT No.' },
};

/** Names of kinds in countries without names of their own. */
const INTERNATIONAL: Names = { vat: 'VAT No.', gst: 'GST No.' };

/**
 * The name that a tax id has in its own country: "USt-IdNr." for a German VAT number. Null: unknown. Without a kind, a VAT number of the
 * country is recognized by its form; otherwise the kind is the usual one of the country.
 */
export function taxIdName(
  taxId: string,
  { kind, country }: { kind: TaxIdKind | null; country: string | null },
): string | null {
  const names = country !== null && Object.hasOwn(NAMES, country) ? NAMES[country] : undefined;
  if (kind) return names?.[kind] ?? INTERNATIONAL[kind] ?? null;
  if (country === null) return null;
  if (isVatNumberOf(taxId, country)) return names?.vat ?? INTERNATIONAL.vat ?? null;
  // A national number in a country whose VAT numbers have another form.
  if (Object.hasOwn(VAT_NUMBERS, country)) return names?.tax_number ?? null;
  return names?.gst ?? names?.vat ?? names?.tax_number ?? null;
}

/** A sale as reverse charge looks at it. Countries are two-letter codes; null: unknown. */
export interface CrossBorderSale {
  sellerCountry: string | null;
  /** Country of the place that is taxed. */
  country: string | null;
  buyer: { type: string; country?: string | null | undefined; taxId?: string | null | undefined };
}

/**
 * Whether the buyer owes the tax where a rule provides for reverse charge: a company with a well-formed VAT number of its country. Neither
 * it nor the place that is taxed is in the country of the seller.
 */
export function buyerOwesTax({ sellerCountry, country, buyer }: CrossBorderSale): boolean {
  const { type, taxId, country: home } = buyer;
  if (type !== 'company' || !taxId || !home || !country || !sellerCountry) return false;
  if (home === sellerCountry || country === sellerCountry) return false;
  return isVatNumberOf(taxId, home);
}
