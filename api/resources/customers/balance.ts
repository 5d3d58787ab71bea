import { availableCredit, creditHistory } from '../../../db/queries/credit/creditBalance.ts';
import { owedBy } from '../../../db/queries/customers/balances.ts';
import { Customer } from '../../../db/schema/customer.ts';
import { presentBalance } from '../../../present/customers/balance.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { refuseRepeated } from '../../framework/parameterNames.ts';
import { readParameter } from '../../framework/resource.ts';
import { found, pathId, type Route, reply } from '../../framework/route.ts';
import { balance } from './shape.ts';

const currency = fields.described(
  fields.currency,
  'Currency of the balance: three-letter ISO 4217 code; default: the currency of the customer',
  'usd',
);

export const balanceRoute: Route = {
  method: 'GET',
  path: '/customers/:id/balance',
  operationId: 'readCustomerBalance',
  summary: 'Read the balance of a customer in one currency',
  parameters: { currency: { schema: schemaOf(currency) } },
  answer: { statusCode: 200, kind: { shape: balance } },
  handle: async (request) => {
    const { em, query, caller } = request;
    const { account } = caller;
    refuseRepeated(query);
    const id = pathId(request, 'Customer');
    const owner = await em.findOne(Customer, { accountId: account.id, id }, { populate: ['testClock'] });
    const customer = found(owner, 'Customer', id);
    const asked = query.get('currency') ?? '';
    const wanted = asked === '' ? (customer.currency ?? account.currency) : readParameter(currency, asked, 'currency');
    const key = { accountId: account.id, customerId: id, currency: wanted };
    const history = await creditHistory(em, key);
    const now = customer.testClock?.frozenAt ?? request.deps.systemNow();
    const availableCredits = await availableCredit(em, key, now);
    return reply(200, presentBalance(await owedBy(em, key), { currency: wanted, availableCredits, history }));
  },
};
