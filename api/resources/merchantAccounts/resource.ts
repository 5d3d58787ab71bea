import { condition } from '../../../db/queries/kernel/condition.ts';
import { MerchantAccount } from '../../../db/schema/merchantAccount.ts';
import { presentMerchantAccount } from '../../../present/accounts/merchantAccount.ts';
import * as fields from '../../body/fields.ts';
import { between, column, type Resource, sorted } from '../../framework/resource.ts';
import { merchantAccount } from './shape.ts';

export const merchantAccounts: Resource<MerchantAccount, 'id'> = {
  name: 'Merchant account',
  shape: merchantAccount,
  row: MerchantAccount,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentMerchantAccount),
};
