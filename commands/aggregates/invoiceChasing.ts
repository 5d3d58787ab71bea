import type { ChasedItem, ChasingState } from '../../billing/collection/chasing.ts';
import {
  type AskingDays,
  type InvoiceStep,
  type InvoiceToChase,
  planInvoice,
} from '../../billing/collection/invoiceChasing.ts';
import { Refusal } from '../../billing/refusal.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type ChasedInvoice, channelsOn } from '../../db/queries/chasing/chased.ts';
import { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** An open invoice on an invoice cadence. */
export interface InvoiceChase extends InvoiceToChase {
  item: ChasedItem;
  cadenceId: number;
}

/** The invoices of a customer on invoice cadences. */
export interface ChasedInvoices {
  invoices: InvoiceChase[];
  days: AskingDays;
}

/** Whether an invoice cadence asks for an invoice. While a payment plan is active, the cadence of its customer asks for missed installments. */
export function isOnCadence({ cadenceId, installments }: ChasedInvoice): boolean {
  return cadenceId !== null && installments === null;
}

/** Reads the cadences of a customer's invoices. `itemOf`: the balance that is asked for. Makes no query if none is on a cadence. */
export async function readInvoiceChases(
  em: EntityManager,
  { customer, moment }: LockedCustomer,
  read: { state: ChasingState; invoices: readonly ChasedInvoice[]; itemOf: (invoice: ChasedInvoice) => ChasedItem[] },
): Promise<ChasedInvoices> {
  const { state, itemOf } = read;
  const { zone, isWorkingDay } = state;
  const on = state.silence ? [] : read.invoices.filter(isOnCadence);
  if (on.length === 0) return { invoices: [], days: { zone, isWorkingDay, askedToday: new Set() } };
  const { accountId, id: customerId } = customer;
  const ids = on.flatMap(({ cadenceId }) => cadenceId ?? []);
  const found = await em.find(ChasingCadence, { accountId, id: { $in: ids }, kind: 'invoice' });
  const cadences = new Map(found.map((cadence) => [cadence.id, cadence]));
  const day = localDay(moment.now.getTime(), zone);
  const askedToday = await channelsOn(em, { accountId, customerId, day });
  const invoices = on.flatMap((invoice) => {
    const cadence = cadences.get(invoice.cadenceId ?? 0);
    return cadence ? itemOf(invoice).map((item) => chaseOf(cadence, invoice, item)) : [];
  });
  return { invoices, days: { zone, isWorkingDay, askedToday } };
}

function chaseOf(
  cadence: ChasingCadence,
  { takenSteps, isIssueMailed }: ChasedInvoice,
  item: ChasedItem,
): InvoiceChase {
  const { id: cadenceId, steps, timeOfDay, paused } = cadence;
  const { issuedOn, dueOn, notBefore } = item;
  const taken = takenSteps ?? [];
  return { item, cadenceId, steps, timeOfDay, paused, taken, isIssueMailed, issuedOn, dueOn, notBefore };
}

/** A planned step of an invoice of a customer. */
export interface PlannedInvoiceStep extends InvoiceStep {
  chase: InvoiceChase;
}

/** The next step of a customer's invoices; null: none is planned. */
export function earliestInvoiceStep({ invoices, days }: ChasedInvoices, now: number): PlannedInvoiceStep | null {
  const firsts = invoices.flatMap((chase) =>
    planInvoice(chase, days, now)
      .slice(0, 1)
      .map((one) => ({ ...one, chase })),
  );
  return firsts.sort((one, other) => one.at - other.at)[0] ?? null;
}

/** The invoice cadence that a request names. Refuses one that the account does not have, and a cadence of customers. */
export async function findInvoiceCadence(
  em: EntityManager,
  accountId: number,
  id: number | null,
): Promise<ChasingCadence | null> {
  const cadence = id === null ? null : await em.findOne(ChasingCadence, { accountId, id, kind: 'invoice' });
  if (id !== null && !cadence)
    throw new Refusal('resource_missing', `Invoice chasing cadence was not found: ${id}`, 'chasing_cadence');
  return cadence;
}

/** The requested cadence of an invoice; null: none, undefined: it keeps its own. */
export async function newCadence(
  em: EntityManager,
  { accountId, chasingCadence }: Invoice,
  cadenceId: number | null | undefined,
): Promise<ChasingCadence | null | undefined> {
  if (cadenceId === undefined || cadenceId === (chasingCadence?.id ?? null)) return undefined;
  return findInvoiceCadence(em, accountId, cadenceId);
}

/** Puts an issued invoice that names no cadence on the default one. Makes no query for accounts without cadences. */
export async function takeDefaultCadence(em: EntityManager, locked: LockedCustomer, invoice: Invoice): Promise<void> {
  if (!locked.hasCadences || invoice.chasingCadence) return;
  const { accountId } = invoice;
  invoice.chasingCadence = await em.findOne(ChasingCadence, { accountId, isDefault: true });
}
