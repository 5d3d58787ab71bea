import { searchCustomers } from '../../../db/queries/kernel/search.ts';
import { Customer, PaymentSource } from '../../../db/schema/customer.ts';
import { TaxRate } from '../../../db/schema/taxRate.ts';
import { presentCustomer } from '../../../present/customers/customer.ts';
import * as fields from '../../body/fields.ts';
import { column, filtered, filteredIfSet, type Resource, sorted, updatedBetween } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { chasingCadences } from '../chasingCadences/resource.ts';
import { byNumber } from '../documents/fields.ts';
import { signUpPages } from '../signUpPages.ts';
import { testClocks } from '../testClocks.ts';
import { themes } from '../themes/resource.ts';
import { balanceColumns, balanceCurrency, balancesOf, currenciesOwed, withBalance } from './balances.ts';
import { followedCadencesOf } from './cadence.ts';
import { customer } from './shape.ts';

export const customers: Resource<Customer, 'id'> = {
  name: 'Customer',
  area: 'customers',
  shape: customer,
  row: Customer,
  idColumn: 'id',
  metadata: true,
  searchable: searchCustomers('`name`, `number` and `email`'),
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    number: byNumber,
    email: column('email', fields.text()),
    autopay: filtered('autopay', fields.boolean),
    type: filtered('type', fields.choice('company', 'person')),
    currency: filtered('currency', fields.currency),
    country: filtered('country', fields.country),
    test_clock: filteredIfSet('test_clock_id', fields.id),
    active: filtered('active', fields.boolean),
    credit_hold: filtered('credit_hold', fields.boolean),
    chase: filtered('chase', fields.boolean),
    owner: filteredIfSet('owner_id', fields.id),
    parent_customer: filteredIfSet('parent_id', fields.id),
    ...balanceColumns,
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  listedFrom: withBalance,
  extraParameters: { currency: balanceCurrency },
  parameters: updatedBetween,
  present: async (reading, rows) => {
    const ids = rows.flatMap(({ defaultSource }) => (defaultSource ? [defaultSource.id] : []));
    const sources = await reading.byId(PaymentSource, ids);
    const rates = await reading.byId(
      TaxRate,
      rows.flatMap((row) => row.taxRateIds),
    );
    return rows.map((row) => {
      const taxRates = row.taxRateIds.flatMap((id) => rates.get(id) ?? []);
      return presentCustomer({ ...row, taxRates }, sources.get(row.defaultSource?.id ?? 0) ?? null);
    });
  },
  includes: {
    balances: { area: 'customers', read: balancesOf, entries: currenciesOwed },
    followed_cadence: { area: 'collections', read: followedCadencesOf },
  },
  relations: {
    chasing_cadence: relation(
      () => chasingCadences,
      (row) => row.chasingCadence?.id ?? null,
    ),
    theme: relation(
      () => themes,
      (row) => row.theme?.id ?? null,
    ),
    sign_up_page: relation(
      () => signUpPages,
      (row) => row.signUpPage?.id ?? null,
    ),
    parent_customer: relation(
      () => customers,
      (row) => row.parent?.id ?? null,
    ),
    merged_into: relation(
      () => customers,
      (row) => row.mergedInto?.id ?? null,
    ),
    test_clock: relation(
      () => testClocks,
      (row) => row.testClock?.id ?? null,
    ),
  },
};
