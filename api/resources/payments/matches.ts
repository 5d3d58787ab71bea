import { matchesOf, refuseMatches } from '../../../commands/payments/matches.ts';
import { presentMatch, presentPayment } from '../../../present/payments/payment.ts';
import type { PresentedKind } from '../../framework/kind.ts';
import { pathId, type Route, reply } from '../../framework/route.ts';
import * as shown from '../../framework/shape.ts';
import { presentedRelation } from '../../reading/expand.ts';
import { expandAnswer } from '../../reading/expandAnswer.ts';
import { actionRoute } from '../../writing/writeRoutes.ts';
import { customers } from '../customers/resource.ts';
import { ofApplication, payments } from './resource.ts';

const part = shown.value('PaymentMatchApplication', 'Application of a suggestion, as `PATCH /payments/:id` takes it', {
  type: shown.choice(
    'Type of the application: `invoice` if it is suggested; the others are present applications, which stay',
    'invoice',
    'applied_credit',
    'credit',
    'credit_note',
    'estimate',
  ),
  amount: shown.money('Amount of the application', 240),
  invoice: shown.nullable(shown.id('Id of the invoice', 77)),
  estimate: shown.unset(shown.id('Id of the estimate of a present application')),
  credit_note: shown.unset(shown.id('Id of the credit note of a present application')),
  document_type: shown.unset(shown.choice('Kind of document that credit pays', 'invoice', 'estimate')),
});

const match = shown.shape('PaymentMatch', 'Suggestion: invoices that a payment may be meant for', {
  rank: shown.integer('Place among the suggestions: 1 is the likeliest', 1),
  reasons: shown.textList('Facts that speak for it, in words', 'The reference or the notes name INV-00042'),
  customer: shown.id('Id of the customer who pays'),
  applied_to: shown.listOf(part, 'Applications to accept it with; those that the payment has already are among them'),
});

const matches: PresentedKind = {
  shape: match,
  said: ['reasons'],
  relations: { customer: presentedRelation(() => customers, 'customer') },
  parts: { applied_to: { to: () => ({ ...ofApplication, shape: part }) } },
};

export const matchRoutes: Route[] = [
  {
    method: 'GET',
    path: '/payments/:id/matches',
    operationId: 'readPaymentMatches',
    permission: 'payments.read',
    summary: 'Read suggestions for a keyed or imported payment: open invoices that its money may be meant for',
    answer: { statusCode: 200, kind: matches, isArray: true },
    handle: async (request) => {
      const { em, caller } = request;
      const id = pathId(request, 'Payment');
      const { applied, suggestions } = await matchesOf(em, { accountId: caller.account.id, id });
      const found = suggestions.map((suggestion, index) => presentMatch(suggestion, index + 1, applied));
      return reply(200, await expandAnswer(em, request, found));
    },
  },
  actionRoute({
    method: 'DELETE',
    path: '/payments/:id/matches',
    operationId: 'refusePaymentMatches',
    summary: 'Refuse the suggestions for a payment; it has none until it changes',
    resource: payments,
    command: refuseMatches,
    present: (payment) => presentPayment(payment, null),
  }),
];
