import { Charge } from '../../../db/schema/charge.ts';
import { CreditBalanceAdjustment } from '../../../db/schema/creditBalanceAdjustment.ts';
import { Payment } from '../../../db/schema/payment.ts';
import { Refund } from '../../../db/schema/refund.ts';
import { presentRefund } from '../../../present/payments/refund.ts';
import * as fields from '../../body/fields.ts';
import { column, filtered, type Resource } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { operationColumns, operationParameters } from '../charges/columns.ts';
import { charges } from '../charges/resource.ts';
import { creditBalanceAdjustments } from '../creditBalanceAdjustments/resource.ts';
import { payments } from '../payments/resource.ts';
import { refund } from './shape.ts';

export const refunds: Resource<Refund, 'id'> = {
  name: 'Refund',
  shape: refund,
  row: Refund,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    charge: filtered('charge_id', fields.id),
    payment: filtered('payment_id', fields.id),
    ...operationColumns,
  },
  parameters: operationParameters,
  present: async (reading, rows) => {
    const idsOf = (name: 'charge' | 'payment' | 'adjustment') => rows.flatMap((row) => row[name]?.id ?? []);
    const paid = await reading.byId(Payment, idsOf('payment'));
    const charged = await reading.byId(Charge, idsOf('charge'));
    const credited = await reading.byId(CreditBalanceAdjustment, idsOf('adjustment'));
    return rows.map((row) => {
      const { payment, charge, adjustment } = row;
      const owner =
        charged.get(charge?.id ?? 0) ?? paid.get(payment?.id ?? 0) ?? credited.get(adjustment?.id ?? 0) ?? null;
      return presentRefund(row, owner?.customer?.id ?? null);
    });
  },
  relations: {
    charge: relation(
      () => charges,
      (row) => row.charge?.id ?? null,
    ),
    payment: relation(
      () => payments,
      (row) => row.payment?.id ?? null,
    ),
    credit_balance_adjustment: relation(
      () => creditBalanceAdjustments,
      (row) => row.adjustment?.id ?? null,
    ),
  },
};
