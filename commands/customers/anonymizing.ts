import type { Presented } from '../../billing/json.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { deleteReminderAddresses } from '../../db/queries/customers/addresses.ts';
import {
  type EventBody,
  eraseRows,
  eventIdsOf,
  mergedInto,
  readEvents,
  reasonToRemember,
  rewriteEvents,
} from '../../db/queries/customers/erasure.ts';
import { answersAbout, type KeptAnswer, readAnswers, rewriteAnswers } from '../../db/queries/kernel/keptAnswers.ts';
import { Contact } from '../../db/schema/contact.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import { Customer } from '../../db/schema/customer.ts';
import { Note } from '../../db/schema/note.ts';
import { PortalLink, PortalSession } from '../../db/schema/portal.ts';
import { Task } from '../../db/schema/task.ts';
import { presentCustomer } from '../../present/customers/customer.ts';
import { ANONYMOUS, anonymized } from '../../present/kernel/anonymous.ts';
import { planChasingAnew } from '../aggregates/chasing.ts';
import type { Caller, Moment } from '../kernel/caller.ts';
import { lockCustomer } from '../kernel/lockedCustomer.ts';
import { recordCustomer } from './customers.ts';

/**
 * Erases the personal data of a customer and of customers merged into it, in their rows, contacts, notes, tasks, credit notes and mails, and in events
 * and stored answers about them. Issued documents keep what the law requires: number, amounts, and the names and addresses of seller and
 * buyer at issue. Refuses while the data is needed, for example while the customer owes money or has a subscription. A repeated call erases
 * data that was written since the last one. Throws Missing.
 */
export async function anonymizeCustomer(
  em: EntityManager,
  { caller, id }: { caller: Caller; id: number },
  systemNow: Date,
): Promise<Customer> {
  const locked = await lockCustomer(em, { caller, customerId: id }, systemNow);
  const { customer, moment } = locked;
  const { accountId } = customer;
  const reason = await reasonToRemember(em, { accountId, id });
  if (reason) throw new Refusal('in_use', `Customer ${id} has ${reason}: its data is still needed`);
  const merged = await em.find(Customer, { accountId, id: { $in: await mergedInto(em, { accountId, id }) } });
  const ids = [id, ...merged.map((other) => other.id)];
  const eventIds = await eventIdsOf(em, accountId, ids);
  await em.nativeDelete(Contact, { accountId, customer });
  await em.nativeDelete(Note, { accountId, customer });
  await em.nativeDelete(PortalSession, { accountId, customer });
  await em.nativeDelete(PortalLink, { accountId, customer });
  await deleteReminderAddresses(em, { accountId, id });
  await em.nativeUpdate(
    Task,
    { accountId, customer, $or: [{ name: { $ne: ANONYMOUS } }, { outcome: { $ne: null } }] },
    { name: ANONYMOUS, outcome: null, updatedAt: moment.now },
  );
  const forced = { accountId, customer, forceReason: { $ne: ANONYMOUS } }; // not those without a reason
  await em.nativeUpdate(CreditNote, forced, { forceReason: ANONYMOUS, updatedAt: moment.now });
  await eraseRows(em, { accountId, id, now: moment.now });
  await anonymizeEvents(em, { accountId, eventIds, customerIds: new Set(ids) });
  await anonymizeAnswers(em, accountId, ids);
  for (const one of [...merged, customer]) if (!one.anonymizedAt) anonymizeRow(em, moment, one);
  await planChasingAnew(em, locked);
  return customer;
}

function anonymizeRow(em: EntityManager, moment: Moment, customer: Customer): void {
  const { active, autopay } = customer;
  Object.assign(customer, { ...blank, anonymizedAt: moment.now, updatedAt: moment.now });
  const before = { ...presentCustomer(customer, null), active, autopay };
  recordCustomer(em, moment, { customer, type: 'customer.updated', before });
}

const blank = {
  name: ANONYMOUS,
  email: null,
  attentionTo: null,
  address1: null,
  address2: null,
  city: null,
  state: null,
  postalCode: null,
  phone: null,
  taxId: null,
  notes: null,
  holdReason: null,
  metadata: {},
  theme: null,
  taxengineExemptionNumber: null,
  active: false,
  autopay: false,
};

/** Number of events or answers that are rewritten per batch. */
const BATCH = 200;

async function anonymizeEvents(
  em: EntityManager,
  of: { accountId: number; eventIds: readonly number[]; customerIds: ReadonlySet<number> },
): Promise<void> {
  const { accountId, eventIds, customerIds } = of;
  for (let from = 0; from < eventIds.length; from += BATCH) {
    const events = await readEvents(em, accountId, eventIds.slice(from, from + BATCH));
    const changed = events.map((event) => anonymizeEvent(event, customerIds));
    await rewriteEvents(em, accountId, changed);
  }
}

/** Erases personal data from an event. Leaves the object, or its previous state, unchanged if it belonged to another customer. */
function anonymizeEvent(event: EventBody, customerIds: ReadonlySet<number>): EventBody {
  const [kind] = event.type.split('.');
  const { object, previous } = event;
  const owner = ownerIn(object);
  const former = previous && 'customer' in previous ? ownerIn(previous) : owner;
  const isErased = (id: number | null) => id === null || customerIds.has(id);
  const was = { kind, isDraft: previous?.draft === true || object.draft === true };
  return {
    ...event,
    object: isErased(owner) ? anonymized(object, { kind }) : object,
    previous: previous && isErased(former) ? anonymized(previous, was) : previous,
  };
}

function ownerIn({ customer }: Presented): number | null {
  const id = typeof customer === 'object' && customer !== null && 'id' in customer ? customer.id : customer;
  return typeof id === 'number' ? id : null;
}

/** Erases personal data from the answers stored for Idempotency-Keys. */
async function anonymizeAnswers(em: EntityManager, accountId: number, ids: readonly number[]): Promise<void> {
  const places = await answersAbout(em, accountId, ids);
  for (let from = 0; from < places.length; from += BATCH) {
    const answers = await readAnswers(em, accountId, places.slice(from, from + BATCH));
    const changed = answers.map((answer) => anonymizeAnswer(answer, ids));
    await rewriteAnswers(em, accountId, changed);
  }
}

function anonymizeAnswer(answer: KeptAnswer, ids: readonly number[]): KeptAnswer {
  const body: Presented | Presented[] = JSON.parse(answer.body);
  const isOther = ({ object, id }: Presented) => object === 'customer' && !ids.some((one) => one === id);
  const without = (one: Presented) => anonymized(one, { isKept: isOther });
  const left = Array.isArray(body) ? body.map(without) : without(body);
  return { ...answer, body: JSON.stringify(left) };
}
