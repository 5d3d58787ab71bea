import { createStripeGateway } from '../../adapters/gateways/stripe/gateway.ts';
import { type GatewayUnderTest, gatewayContract } from './gatewayContract.ts';
import { signedEvent } from './stripe/events.ts';
import { answerChallenge } from './stripe/payments.ts';
import { startStripe } from './stripe/server.ts';
import { answerSetupChallenge } from './stripe/setups.ts';
import { keptCustomers } from './stripe/started.ts';

/** The adapter of Stripe passes the tests of every gateway, with a server that behaves as Stripe does. */

const ACCOUNT = 7;
const secretKey = 'sk_test_contract';
const secretOf = (account: number) => `whsec_${account}`;

async function start(): Promise<GatewayUnderTest> {
  const server = await startStripe();
  const home = 'https://billing.example';
  const options = {
    secretKey,
    webhookSecret: secretOf(ACCOUNT),
    deployment: 'p1',
    home,
    customers: keptCustomers(),
    server: server.address,
  };
  return {
    gateway: createStripeGateway(options),
    elsewhere: createStripeGateway(options),
    tokens: {
      pays: 'pm_card_visa',
      declined: 'pm_card_visa_chargeDeclined',
      disputed: 'pm_card_createDispute',
      challenged: 'pm_card_authenticationRequired',
    },
    accountId: ACCOUNT,
    at: Date.parse('2027-03-01T12:00:00Z'),
    captures: async (reference) => server.world.captures.get(reference) ?? 0,
    authenticate: async (reference, isPassed) => {
      const answer = reference.startsWith('seti_') ? answerSetupChallenge : answerChallenge;
      answer(server.world, reference, isPassed);
    },
    message: ({ id, type, reference }, { sentAt, account = ACCOUNT } = {}) => {
      const object = { id: 'du_1', object: 'dispute', payment_intent: reference };
      const by = { secret: secretOf(account), configuration: `stripe_${account}` };
      return signedEvent({ id, object: 'event', type, data: { object } }, sentAt ? { ...by, sentAt } : by);
    },
    types: { known: 'charge.dispute.created', unknown: 'terminal.reader.action_failed' },
    close: () => server.close(),
  };
}

gatewayContract(start);
