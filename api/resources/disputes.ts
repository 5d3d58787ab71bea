import type { Presented } from '../../billing/json.ts';
import { disputeStatuses } from '../../billing/payments/dispute.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { Charge } from '../../db/schema/charge.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { Dispute } from '../../db/schema/dispute.ts';
import { presentDispute } from '../../present/payments/charge.ts';
import * as fields from '../body/fields.ts';
import type { Relation } from '../framework/kind.ts';
import { column, filtered, type Resource, sorted, where } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { charges, operationColumns, operationParameters } from './charges/resource.ts';
import { customers } from './customers/resource.ts';

const dispute = shown.shape('Dispute', 'Money of a charge that the bank of its payer holds or took back', {
  id: shown.id('Id of the dispute', 2),
  charge: shown.id('Id of the disputed charge', 5),
  customer: shown.id('Id of the customer of the charge'),
  currency: shown.currency(),
  amount: shown.money('Disputed amount, which the bank holds while the dispute is open', 100),
  amount_lost: shown.money('The part of the amount that the bank kept; 0 while the dispute is open', 0),
  fee: shown.money('Fee that the gateway charged for the dispute; 0: none, or it was given back', 15),
  gateway: shown.text('Payment gateway of the charge', 'test'),
  gateway_id: shown.text('Id of the dispute at the gateway', 'dp_4c2d'),
  status: shown.oneOf(
    'Status of the dispute; `partial`: the bank kept a part of the amount; `withdrawn`: the payer took the dispute back',
    'open',
    disputeStatuses,
  ),
  reason: shown.text('Reason, in a word of the gateway', 'fraudulent'),
  evidence_due_at: shown.unset(
    shown.timestamp('Time until which the gateway takes evidence; null: it told none', 1_790_000_000),
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

/** Disputes with the customers of their charges, in their order. */
async function presented(reading: Reading, rows: readonly Plain<Dispute>[]): Promise<Presented[]> {
  const found = await reading.byId(
    Charge,
    rows.map(({ charge }) => charge.id),
  );
  return rows.map((row) => {
    const charge = found.get(row.charge.id);
    if (!charge) throw new Error(`charge ${row.charge.id} of dispute ${row.id} was not found`);
    return presentDispute(row, charge.customer.id);
  });
}

const ofCustomer = '(account_id, charge_id) in (select account_id, id from charge where customer_id = ?)';

const customer = relation<Plain<Dispute>, Customer>(
  () => customers,
  ({ charge }) => charge.id,
);

/** The customer of the charge, by the id of the charge. */
const ofCharge: Relation<Plain<Dispute>> = {
  ...customer,
  load: async (reading, keys, wanted) => {
    const found = [...(await reading.byId(Charge, keys.map(Number))).values()];
    const people = await customer.load(
      reading,
      found.map((charge) => charge.customer.id),
      wanted,
    );
    return new Map(found.map((charge) => [charge.id, people.get(charge.customer.id) ?? {}]));
  },
};

export const disputes: Resource<Dispute, 'id'> = {
  name: 'Dispute',
  area: 'payments',
  shape: dispute,
  row: Dispute,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    charge: filtered('charge_id', fields.id),
    customer: { sort: null, filter: where(fields.id, (id) => condition(ofCustomer, id)) },
    ...operationColumns,
    status: filtered('status', fields.choice(...disputeStatuses)),
    evidence_due_at: sorted('evidence_due_at'),
  },
  parameters: operationParameters,
  present: presented,
  relations: {
    charge: relation(
      () => charges,
      (row) => row.charge.id,
    ),
    customer: ofCharge,
  },
};

const path = '/disputes';

export const disputeRoutes: Route[] = [
  listRoute({ path, resource: disputes, summary: 'List disputes' }),
  readRoute({ path, resource: disputes, summary: 'Read a dispute' }),
];
