import { exactAmount } from '../../billing/limits.ts';
import { isNegative } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { parseTerms, refusePlanTerms } from '../../billing/time/terms.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { MerchantAccount } from '../../db/schema/merchantAccount.ts';
import { currentOwner } from '../../db/tenant.ts';
import { checkMember } from '../accounts/members.ts';
import { findTaxRates } from '../catalog/taxRates.ts';
import type { Caller } from '../kernel/caller.ts';

type OptionalField =
  | 'email'
  | 'paymentTerms'
  | 'attentionTo'
  | 'address1'
  | 'address2'
  | 'city'
  | 'state'
  | 'postalCode'
  | 'country'
  | 'language'
  | 'currency'
  | 'phone'
  | 'taxId'
  | 'notes'
  | 'holdReason'
  | 'creditLimit'
  | 'ownerId'
  | 'statementDay'
  | 'emailNewInvoices'
  | 'taxengineEntityUseCode'
  | 'taxengineExemptionNumber';
type Switch =
  | 'chase'
  | 'autopayFallback'
  | 'active'
  | 'creditHold'
  | 'taxable'
  | 'billToParent'
  | 'consolidated'
  | 'disabledPaymentMethods';

/** Fields of a customer in a request. */
export type CustomerFields = Pick<Customer, 'name' | 'autopay' | 'autopayDelayDays' | 'type'> &
  Partial<Pick<Customer, OptionalField | Switch>> & { metadata: Record<string, string> };

/** Other objects that a request names; absent: unchanged. */
export interface NamedByCustomer {
  /** Codes of tax rates. */
  taxes?: readonly string[] | undefined;
  parentId?: number | null | undefined;
  /** Ids of merchant accounts, by the field that names them. */
  merchants?: MerchantsOfCustomer | undefined;
  /** Id of a chasing cadence; null: the one that conditions or the default assign. */
  cadenceId?: number | null | undefined;
  /** Id of the step of its cadence that comes next; null: the first. */
  nextStepId?: number | null | undefined;
  /** Codes of PDF templates, one of a kind at most. */
  pdfTemplates?: readonly string[] | undefined;
  /** Id of a theme; null: the default one. */
  themeId?: number | null | undefined;
  /** Id of a sign-up page. */
  signUpPageId?: number | null | undefined;
}

type MerchantsOfCustomer = Readonly<Partial<Record<'cc_gateway' | 'ach_gateway', number | null | undefined>>>;

/** Absent: unchanged. */
export type ChangedFields = { [Name in keyof CustomerFields]?: CustomerFields[Name] | undefined };

/** Refuses invalid payment terms, a negative credit limit or one with too many decimals, an owner who is not a member, and another one from a limited member. */
export async function checkFields(
  em: EntityManager,
  { caller, fields }: { caller: Caller; fields: ChangedFields },
  currency: string,
): Promise<void> {
  const { paymentTerms, creditLimit, ownerId } = fields;
  if (paymentTerms) refusePlanTerms(parseTerms(paymentTerms));
  if (creditLimit && isNegative(exactAmount(creditLimit, currency, 'credit_limit')))
    throw new Refusal('parameter_invalid', `Credit limit must not be negative: ${creditLimit}`, 'credit_limit');
  const limitedTo = currentOwner();
  if (limitedTo !== null && ownerId !== undefined && ownerId !== limitedTo)
    throw new Refusal('permission_missing', 'A member that sees only its own customers cannot give one away', 'owner');
  await checkMember(em, caller.account, { id: ownerId ?? null, param: 'owner' });
}

/** The tax rates that a request names. Refuses unknown and archived rates, unless the customer already has them (`known`). */
export async function findNamedRates(
  em: EntityManager,
  asked: { accountId: number; currency: string; taxes: readonly string[]; known: Customer['taxRates'] },
): Promise<NonNullable<Customer['taxRates']>> {
  const { accountId, currency, known = [] } = asked;
  const taxes = [...new Set(asked.taxes)];
  const kept = new Map(known.map((rate) => [rate.code, rate]));
  const codes = taxes.flatMap((code, index) => (kept.has(code) ? [] : [{ code, param: `taxes[${index}]` }]));
  const found = new Map((await findTaxRates(em, { accountId, codes, currency })).map((rate) => [rate.code, rate]));
  return taxes.flatMap((code) => kept.get(code) ?? found.get(code) ?? []);
}

/** The merchant accounts that a request names, as fields of the customer. Refuses one that the account does not have. */
export async function findNamedMerchants(
  em: EntityManager,
  accountId: number,
  { cc_gateway: card, ach_gateway: bank }: MerchantsOfCustomer = {},
): Promise<{ cardMerchantAccount?: MerchantAccount | null; bankMerchantAccount?: MerchantAccount | null }> {
  const found = async (id: number | null, param: string) => {
    const merchant = id === null ? null : await lockRow(em, MerchantAccount, { accountId, id });
    if (id !== null && (!merchant || merchant.deletedAt))
      throw new Refusal('resource_missing', `Merchant account was not found: ${id}`, param);
    return merchant;
  };
  return {
    ...(card === undefined ? {} : { cardMerchantAccount: await found(card, 'cc_gateway') }),
    ...(bank === undefined ? {} : { bankMerchantAccount: await found(bank, 'ach_gateway') }),
  };
}
