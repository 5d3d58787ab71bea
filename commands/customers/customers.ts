import { numberKey } from '../../billing/documents/numbering.ts';
import type { Presented } from '../../billing/json.ts';
import { compare } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockAccount, lockTestClock } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { keepPageToken } from '../../db/queries/customers/addresses.ts';
import { lockCustomerTree } from '../../db/queries/customers/tree.ts';
import { endEmailChanges } from '../../db/queries/portal/sessions.ts';
import type { Account } from '../../db/schema/account.ts';
import { newToken } from '../../db/schema/columns.ts';
import { Customer } from '../../db/schema/customer.ts';
import type { TestClock } from '../../db/schema/testClock.ts';
import { currentOwner } from '../../db/tenant.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { checkNumberFree, takeCustomerNumber } from '../accounts/numbering.ts';
import { planChasing, planChasingAnew } from '../aggregates/chasing.ts';
import { addressAdded, addressCorrected } from '../bounces/suppressions.ts';
import { checkNamedPdfs } from '../catalog/namedPdfTemplates.ts';
import { findNamedSignUpPage } from '../catalog/signUpPages.ts';
import { findNamedTheme } from '../catalog/themes.ts';
import { accountMoment, type Caller, type Moment } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { advancingMessage, type LockedCustomer, lockCustomer, refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';
import { switchOffAutopay } from './autopayOff.ts';
import { retryHeldBills } from './billable.ts';
import { chasingFactsOf, findNamedCadence, moveToStep, startAtStep } from './chasing.ts';
import { planExpiryNotice } from './expiryNotice.ts';
import {
  type ChangedFields,
  type CustomerFields,
  checkFields,
  findNamedMerchants,
  findNamedRates,
  type NamedByCustomer,
} from './fields.ts';
import { parentFor } from './parents.ts';

export interface NewCustomer extends NamedByCustomer {
  caller: Caller;
  /** An id that was reserved. Absent: a new one. */
  id?: number;
  /** Null: the next number of the series. */
  number: string | null;
  /** The test clock on which the customer and its objects live; null or absent: real time. */
  testClockId?: number | null;
  fields: CustomerFields;
}

export interface CustomerChange extends NamedByCustomer {
  caller: Caller;
  id: number;
  number?: string | undefined;
  /** The test clock cannot change. Another value is refused. */
  testClockId?: number | null | undefined;
  fields: ChangedFields;
}

/**
 * Creates a customer. Refuses a number that is taken, fields that `checkFields` refuses, unknown tax rates, a test clock that does not
 * exist or is advancing, and a parent that `parentFor` refuses.
 */
export async function createCustomer(em: EntityManager, input: NewCustomer, systemNow: Date): Promise<Customer> {
  const accountId = input.caller.account.id;
  const account = await lockValuesOf(em, accountId);
  const caller = { ...input.caller, account };
  if (input.parentId) await lockCustomerTree(em, accountId);
  const testClock = input.testClockId ? await lockClockOf(em, { accountId, id: input.testClockId }) : null;
  const moment = { ...accountMoment(caller, systemNow), now: testClock?.frozenAt ?? systemNow };
  const currency = input.fields.currency ?? account.currency;
  await checkFields(em, input, currency);
  const taxRates = await findNamedRates(em, { accountId, currency, taxes: input.taxes ?? [], known: [] });
  const child = { accountId, id: null, clockId: testClock?.id ?? null };
  const parent = input.parentId ? await parentFor(em, child, input.parentId) : null;
  if (input.number) await checkNumberFree(em, 'customer', { accountId, number: input.number });
  const id = input.id ?? (await reserveIds(em, 'customer')).customer;
  const number = input.number ?? (await takeCustomerNumber(em, accountId));
  const times = { createdAt: moment.now, updatedAt: moment.now };
  const taxRateIds = taxRates.map((rate) => rate.id);
  const customer = em.create(Customer, {
    ...defaults,
    ...input.fields,
    ownerId: currentOwner() ?? input.fields.ownerId ?? null,
    ...times,
    accountId,
    id,
    number,
    numberKey: numberKey(number),
    testClock,
    parent,
    taxRateIds,
    ...holdAfter({ creditHold: false, holdReason: null }, input.fields, moment),
    ...(await findNamedMerchants(em, accountId, input.merchants)),
    chasingCadence: await findNamedCadence(em, accountId, input.cadenceId ?? null),
    theme: await findNamedTheme(em, accountId, input.themeId ?? null),
    signUpPage: await findNamedSignUpPage(em, accountId, input.signUpPageId ?? null),
    pdfTemplates: await checkNamedPdfs(em, accountId, input.pdfTemplates ?? []),
  });
  customer.taxRates = taxRates;
  if (input.nextStepId) await startAtStep(em, { customer, moment }, input.nextStepId);
  await planChasing(em, { customer, moment, clockId: testClock?.id ?? null }, { next: null, existing: [] });
  recordCustomer(em, moment, { customer, type: 'customer.created' });
  return customer;
}

const defaults = {
  active: true,
  creditHold: false,
  taxable: true,
  billToParent: false,
  consolidated: false,
  autopayFallback: false,
  chase: true,
  disabledPaymentMethods: [],
};

/**
 * Locks the account of a new customer, so that its values stay until the commit. A change of the account that came earlier gives this
 * customer its values. One that comes later finds this customer, and plans its statements with those of all others.
 */
async function lockValuesOf(em: EntityManager, accountId: number): Promise<Account> {
  const account = await lockAccount(em, accountId, 'share');
  if (!account) throw new Missing('Account', accountId);
  return account;
}

/** The test clock of a new customer, locked until the commit so that it does not advance. */
async function lockClockOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<TestClock> {
  const clock = await lockTestClock(em, { accountId, id }, 'share');
  if (!clock) throw new Refusal('resource_missing', `Test clock was not found: ${id}`, 'test_clock');
  if (clock.status === 'advancing') throw new Refusal('busy', advancingMessage(id), 'test_clock');
  return clock;
}

/**
 * Changes a customer, if anything differs. Switching AutoPay off also switches it off on the open invoices. Refuses what `createCustomer`
 * refuses, and another test clock. Throws Missing.
 */
export async function updateCustomer(em: EntityManager, change: CustomerChange, systemNow: Date): Promise<Customer> {
  const { caller, fields, number, parentId } = change;
  if (parentId) await lockCustomerTree(em, caller.account.id);
  const locked = await lockCustomer(em, { caller, customerId: change.id }, systemNow);
  const { customer, moment } = locked;
  refuseAnonymous(customer);
  refuseOtherClock(locked, change.testClockId);
  const { accountId, taxRates: known } = customer;
  const currency = fields.currency ?? customer.currency ?? caller.account.currency;
  await checkFields(em, change, currency);
  if (number !== undefined) await checkNumberFree(em, 'customer', { accountId, id: customer.id, number });
  const { taxes } = change;
  const taxRates = taxes ? await findNamedRates(em, { accountId, currency, taxes, known }) : undefined;
  const named = {
    ...(number === undefined ? {} : { number, numberKey: numberKey(number) }),
    taxRateIds: taxRates?.map((rate) => rate.id),
    parent: await findNewParent(em, locked, parentId),
    ...(await findNamedMerchants(em, accountId, change.merchants)),
    ...(change.cadenceId === undefined
      ? {}
      : { chasingCadence: await findNamedCadence(em, accountId, change.cadenceId) }),
    pdfTemplates: change.pdfTemplates && (await checkNamedPdfs(em, accountId, change.pdfTemplates)),
    ...(change.signUpPageId === undefined
      ? {}
      : {
          signUpPage: await findNamedSignUpPage(em, accountId, change.signUpPageId),
          token: customer.token ?? newToken(),
        }),
    ...(change.themeId === undefined ? {} : { theme: await findNamedTheme(em, accountId, change.themeId) }),
  };
  const chased = chasingFactsOf(customer);
  const before = presentWholeCustomer(customer);
  const { autopay: wasAutopay, creditHold, creditLimit, email } = customer;
  const held = holdAfter(customer, fields, moment);
  const isChanged = assignChanges(customer, { ...withStoredLimit(customer, fields), ...named, ...held });
  const isMoved = await moveToStep(em, locked, change.nextStepId);
  if (!isChanged && !isMoved) return customer;
  if (taxRates) customer.taxRates = taxRates;
  customer.updatedAt = moment.now;
  recordCustomer(em, moment, { customer, type: 'customer.updated', before });
  await addressCorrected(em, locked, { before: email, after: customer.email });
  if (customer.email && !email) await addressAdded(em, locked);
  // A change that waits to be confirmed was asked for by the address from before.
  if (customer.email !== email) await endEmailChanges(em, { accountId, customerId: customer.id });
  if (wasAutopay && !customer.autopay) await switchOffAutopay(em, locked);
  if (wasAutopay !== customer.autopay && customer.defaultSource)
    await planExpiryNotice(em, locked, customer.defaultSource);
  if (creditHold !== customer.creditHold || creditLimit !== customer.creditLimit) await retryHeldBills(em, locked);
  if (isMoved || chased !== chasingFactsOf(customer)) await planChasingAnew(em, locked);
  return customer;
}

/**
 * What is known about a credit hold after a change. It is that of the member who began it, or who last changed its reason; it began once.
 * Refuses a reason without a hold.
 */
function holdAfter(
  before: Pick<Customer, 'creditHold' | 'holdReason'>,
  { creditHold = before.creditHold, holdReason }: Pick<ChangedFields, 'creditHold' | 'holdReason'>,
  { now, caller }: Moment,
): Partial<Pick<Customer, 'heldAt' | 'heldById' | 'holdReason'>> {
  if (holdReason && !creditHold)
    throw new Refusal('parameter_invalid', 'Only a customer on credit hold has a reason for it', 'credit_hold_reason');
  const heldById = caller.member?.id ?? null;
  if (creditHold && before.creditHold)
    return holdReason === undefined || holdReason === (before.holdReason ?? null) ? {} : { heldById };
  if (creditHold === before.creditHold) return {};
  return creditHold ? { heldAt: now, heldById } : { heldAt: null, heldById: null, holdReason: null };
}

function refuseOtherClock({ clockId }: LockedCustomer, wanted: number | null | undefined): void {
  if (wanted === undefined || wanted === clockId) return;
  const own = clockId === null ? 'is in real time' : `is on test clock ${clockId}`;
  throw new Refusal('parameter_invalid', `Customer ${own} and cannot be moved: create another customer`, 'test_clock');
}

/** Replaces an equal credit limit by its stored text, so that it counts as unchanged. */
function withStoredLimit({ creditLimit }: Customer, fields: ChangedFields): ChangedFields {
  const isSame = creditLimit && fields.creditLimit && compare(creditLimit, fields.creditLimit) === 0;
  return isSame ? { ...fields, creditLimit } : fields;
}

/** The requested parent, checked if it differs; undefined: unchanged. */
async function findNewParent(
  em: EntityManager,
  { customer, clockId }: LockedCustomer,
  parentId: number | null | undefined,
): Promise<Customer | null | undefined> {
  if (!parentId) return parentId === null ? null : undefined;
  if (customer.parent?.id === parentId) return undefined;
  return parentFor(em, { accountId: customer.accountId, id: customer.id, clockId }, parentId);
}

/** Records an event of a customer. */
export function recordCustomer(
  em: EntityManager,
  moment: Moment,
  change: {
    customer: Customer;
    type: 'customer.created' | 'customer.updated' | 'customer.deleted' | 'customer.merged';
    before?: Presented;
  },
): void {
  const { customer, type, before } = change;
  const subject = { type: 'customer', id: customer.id, row: customer };
  const object = presentWholeCustomer(customer);
  record(em, moment, { type, subject, object, before });
}

/** The secret part of the URLs of a customer's pages. A customer from before such pages gets one. */
export async function pageTokenOf(em: EntityManager, key: { accountId: number; id: number }): Promise<string> {
  const token = await keepPageToken(em, key, newToken());
  if (token === null) throw new Error(`no customer ${key.id}`);
  return token;
}
