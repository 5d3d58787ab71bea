import { signed } from '../../adapters/gateways/test/events.ts';
import { readTestGatewayRecord } from '../../adapters/gateways/test/record.ts';
import { eventSecretOf } from '../support/database.ts';
import { type GatewayUnderTest, gatewayContract } from './gatewayContract.ts';
import { createGatewayDatabase, openTestGateway } from './openTestGateway.ts';

/** The test gateway passes the tests of every gateway. */

const ACCOUNT = 7;

async function start(): Promise<GatewayUnderTest> {
  const database = await createGatewayDatabase();
  const [gateway, elsewhere] = [
    openTestGateway(database, { eventDelay: 0 }),
    openTestGateway(database, { eventDelay: 0 }),
  ];
  return {
    gateway,
    elsewhere,
    tokens: {
      pays: 'tok_4242424242424242',
      declined: 'tok_4000000000000002',
      disputed: 'tok_4000000000000259',
      challenged: 'tok_4000000000003220',
    },
    accountId: ACCOUNT,
    at: Date.parse('2027-03-01T12:00:00Z'),
    captures: async (reference) => {
      const record = await readTestGatewayRecord(database.url);
      return record.find((entry) => entry.reference === reference)?.captured ?? 0;
    },
    authenticate: async (reference, isPassed) => {
      if (!(await gateway.challenges.answer(reference, isPassed))) throw new Error('no challenge is open');
    },
    message: ({ id, type, reference }, { sentAt, account = ACCOUNT } = {}) => {
      const body = JSON.stringify({ id, type, data: { reference } });
      return { configuration: `test_${account}`, headers: signed(body, eventSecretOf(account), sentAt), body };
    },
    types: { known: 'dispute.opened', unknown: 'terminal.updated' },
    close: async () => {
      await gateway.close();
      await elsewhere.close();
      await database.drop();
    },
  };
}

gatewayContract(start);
