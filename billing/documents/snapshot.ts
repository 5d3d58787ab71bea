import type { ShownField } from '../customFields.ts';
import type { ThemeLook } from '../look/theme.ts';
import type { BankDetails } from '../payments/bankDetails.ts';
import type { TaxIdKind } from './taxId.ts';

/** Details of a party, copied into a document at issue. */
export interface PartySnapshot {
  name: string;
  email: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string | null;
  taxId: string | null;
}

/** Details of the seller, with the colour and logo of its documents. */
export interface SellerSnapshot extends PartySnapshot {
  accentColor: string | null;
  /** Hash of the picture that is its logo. */
  logoHash: string | null;
  /** The following are unset in documents that an earlier version issued. */
  taxIdKind?: TaxIdKind | null | undefined;
  taxIdCountry?: string | null | undefined;
  replyTo?: string | null | undefined;
  bankDetails?: BankDetails[] | null | undefined;
  paymentReference?: string | null | undefined;
  footer?: string | null | undefined;
  smallBusinessNote?: string | null | undefined;
  exemptionNote?: string | null | undefined;
  /** The theme; absent: there was none. Its accent, logo and footer are in the fields above. */
  theme?: ThemeLook | undefined;
}

/** Details of the billed customer, copied into a document at issue. */
export interface BillToSnapshot extends PartySnapshot {
  /** The customer's own id, even if the other details are its parent's. */
  customerId: number;
  number: string;
  attentionTo: string | null;
  /** The customer's language; null: documents are in the seller's language. */
  language: string | null;
  /** The customer is not taxable. Unset: it is. */
  isExempt?: true | undefined;
  /** The customer's own custom fields that its documents show. Unset: none. */
  fields?: readonly ShownField[] | undefined;
}
