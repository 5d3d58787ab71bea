import { exactAmount } from '../../billing/limits.ts';
import { compare } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { checkAskedAmount } from '../../billing/signUps/paymentLink.ts';
import { checkPageUrl } from '../../billing/signUps/terms.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockCountOf, lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { PaymentLink } from '../../db/schema/paymentLink.ts';
import { presentPaymentLink } from '../../present/catalog/salesPages.ts';
import { accountMoment, type Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';
import { namedCodes } from './codes.ts';
import { findTaxRates } from './taxRates.ts';

export type PaymentLinkFields = Pick<PaymentLink, 'name' | 'enabled' | 'fields' | 'taxCodes' | 'returnUrls'> & {
  description: string | null;
  currency: string;
  amount: string | null;
  minAmount: string | null;
  maxAmount: string | null;
};

export interface PaymentLinkKey {
  caller: Caller;
  id: number;
}

export interface PaymentLinkChange extends PaymentLinkKey {
  fields: { [Name in keyof PaymentLinkFields]?: PaymentLinkFields[Name] | undefined };
}

/** Most payment links of an account. */
const MOST_LINKS = 10_000;

/** Creates a payment link. Refuses bounds that exclude each other, unknown tax rates and unsafe return addresses. */
export async function createPaymentLink(
  em: EntityManager,
  { caller, fields }: { caller: Caller; fields: PaymentLinkFields },
  systemNow: Date,
): Promise<PaymentLink> {
  const accountId = caller.account.id;
  await lockCountOf(em, 'payment_link', accountId);
  if ((await em.count(PaymentLink, { accountId, deletedAt: null })) >= MOST_LINKS)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_LINKS} payment links`);
  await check(em, accountId, fields);
  const { payment_link: id } = await reserveIds(em, 'payment_link');
  const link = em.create(PaymentLink, { ...fields, accountId, id, createdAt: systemNow, updatedAt: systemNow });
  recordLink(em, { caller, link, type: 'created' }, systemNow);
  return link;
}

/** Changes a payment link, if anything differs. Refuses what `createPaymentLink` refuses. Throws Missing. */
export async function updatePaymentLink(
  em: EntityManager,
  { fields, ...key }: PaymentLinkChange,
  systemNow: Date,
): Promise<PaymentLink> {
  const link = await lockLink(em, key);
  const before = presentPaymentLink(link);
  if (!assignChanges(link, withStored(link, fields))) return link;
  const { amount = null, minAmount = null, maxAmount = null } = link;
  await check(em, link.accountId, { ...link, amount, minAmount, maxAmount, taxCodes: fields.taxCodes ?? [] });
  link.updatedAt = systemNow;
  recordLink(em, { caller: key.caller, link, type: 'updated', before }, systemNow);
  return link;
}

/** Replaces equal amounts by their stored texts, so that they count as unchanged. */
function withStored(link: PaymentLink, fields: PaymentLinkChange['fields']): PaymentLinkChange['fields'] {
  const kept = (name: 'amount' | 'minAmount' | 'maxAmount') => {
    const [stored, asked] = [link[name] ?? null, fields[name]];
    return stored !== null && asked && compare(stored, asked) === 0 ? stored : asked;
  };
  return { ...fields, amount: kept('amount'), minAmount: kept('minAmount'), maxAmount: kept('maxAmount') };
}

/** Deletes a payment link: its address leads nowhere. What was paid by it stays. Throws Missing. */
export async function deletePaymentLink(em: EntityManager, key: PaymentLinkKey, systemNow: Date): Promise<PaymentLink> {
  const link = await lockLink(em, key);
  Object.assign(link, { deletedAt: systemNow, updatedAt: systemNow });
  recordLink(em, { caller: key.caller, link, type: 'deleted' }, systemNow);
  return link;
}

async function lockLink(em: EntityManager, { caller, id }: PaymentLinkKey): Promise<PaymentLink> {
  const link = await lockRow(em, PaymentLink, { accountId: caller.account.id, id });
  if (!link || link.deletedAt) throw new Missing('Payment link', id);
  return link;
}

type Checked = Pick<
  PaymentLinkFields,
  'currency' | 'amount' | 'minAmount' | 'maxAmount' | 'fields' | 'taxCodes' | 'returnUrls'
>;

async function check(em: EntityManager, accountId: number, fields: Checked): Promise<void> {
  const { currency, amount, minAmount, maxAmount, returnUrls, taxCodes } = fields;
  const amounts = { amount, min_amount: minAmount, max_amount: maxAmount };
  for (const [param, value] of Object.entries(amounts)) if (value !== null) exactAmount(value, currency, param);
  checkAskedAmount(fields);
  for (const [index, url] of returnUrls.entries()) checkPageUrl(url, `return_urls[${index}]`);
  fields.fields.forEach(({ kind, label }, index) => {
    const isRepeated = kind !== 'text' && fields.fields.findIndex((other) => other.kind === kind) < index;
    if (isRepeated) throw new Refusal('parameter_invalid', `${kind} is asked for twice`, `fields[${index}][kind]`);
    if (kind === 'text' && label === null)
      throw new Refusal('parameter_missing', 'Label missing', `fields[${index}][label]`);
  });
  const rates = await findTaxRates(em, { accountId, codes: namedCodes(taxCodes, 'taxes'), currency });
  const onTop = rates.findIndex(({ inclusive }) => !inclusive);
  if (amount === null && onTop >= 0)
    throw new Refusal(
      'parameter_invalid',
      'An amount that the payer types contains its taxes: name only inclusive tax rates',
      `taxes[${onTop}]`,
    );
}

function recordLink(
  em: EntityManager,
  change: {
    caller: Caller;
    link: PaymentLink;
    type: 'created' | 'updated' | 'deleted';
    before?: ReturnType<typeof presentPaymentLink>;
  },
  systemNow: Date,
): void {
  const { caller, link, type, before } = change;
  const subject = { type: 'payment_link', id: link.id, row: link };
  const object = presentPaymentLink(link);
  record(em, accountMoment(caller, systemNow), { type: `payment_link.${type}`, subject, object, before });
}
