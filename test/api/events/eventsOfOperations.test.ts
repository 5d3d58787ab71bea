import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, type Client, startApi, type TestApi } from '../../support/api.ts';
import { operationsOfKeys } from '../../support/openapi.ts';
import { clockRows, customerRows } from '../../support/operationEvents/customers.ts';
import { documentRows } from '../../support/operationEvents/documents.ts';
import { openShop } from '../../support/operationEvents/row.ts';
import { salesRows } from '../../support/operationEvents/sales.ts';
import { replaceSingle, requestIn, seedWorld, type World } from '../../support/world.ts';

/** The events of each writing operation. `data.previous` has exactly the changed fields. */

let api: TestApi;
let client: Client;
/** Objects of another business, for operations without events. */
let world: World;
let other: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  await client.post('/plans', { id: 'told', name: 'Told', amount: 10, interval: 'month' });
  other = (await api.open('Silent')).sandbox;
  world = await seedWorld(api, other);
});
afterAll(() => api.close());

const writing = operationsOfKeys.filter(({ method }) => method !== 'GET');
const rows = { ...customerRows, ...clockRows, ...documentRows, ...salesRows };

/** Operations without events: those on the account and its catalog, mails that change nothing, and previews. */
const silent = [
  'createJob',
  'createReport',
  'cancelJob',
  'createReportSchedule',
  'updateReportSchedule',
  'deleteReportSchedule',
  'createSavedView',
  'updateSavedView',
  'deleteSavedView',
  'inviteMember',
  'updateMember',
  'resendInvitation',
  'resetFactors',
  'deleteMember',
  'createRole',
  'updateRole',
  'deleteRole',
  'previewSubscription',
  'previewCustomerStatement',
  'previewInvoiceEmail',
  'previewEstimateEmail',
  'previewCreditNoteEmail',
  'previewReceiptEmail',
  'previewReminder',
  'previewTheme',
  'previewPdfTemplate',
  'previewSelfService',
  'createCustomField',
  'updateCustomField',
  'deleteCustomField',
  'createGlAccount',
  'updateGlAccount',
  'deleteGlAccount',
  'createItem',
  'updateItem',
  'deleteItem',
  'createPlan',
  'updatePlan',
  'deletePlan',
  'createCoupon',
  'updateCoupon',
  'deleteCoupon',
  'createTaxRate',
  'updateTaxRate',
  'deleteTaxRate',
  'createTaxRule',
  'updateTaxRule',
  'deleteTaxRule',
  'createLateFeeSchedule',
  'updateLateFeeSchedule',
  'deleteLateFeeSchedule',
  'createPdfTemplate',
  'updatePdfTemplate',
  'deletePdfTemplate',
  'createTheme',
  'updateTheme',
  'deleteTheme',
  'createSmsTemplate',
  'updateSmsTemplate',
  'deleteSmsTemplate',
  'createChasingCadence',
  'updateChasingCadence',
  'deleteChasingCadence',
  'createInvoiceChasingCadence',
  'updateInvoiceChasingCadence',
  'deleteInvoiceChasingCadence',
  'createEmailTemplate',
  'updateEmailTemplate',
  'previewEmailTemplate',
  'testEmailTemplate',
  'restoreEmailTemplate',
  'deleteEmailTemplate',
  'sendCustomerStatement',
  'createFile',
  'revokeFileLinks',
  'deleteFile',
  'sendReceipt',
  'updatePaymentMethod',
  'createServiceToken',
  'createTestGatewayToken',
  'createWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'replayWebhook',
  'retryWebhookAttempt',
  'deleteWebhook',
  'createTestClock',
  'advanceTestClock',
  'retryProblem',
  'updateAccount',
  'createMerchantAccount',
  'updateMerchantAccount',
  'deleteMerchantAccount',
  'createMailSender',
  'updateMailSender',
  'verifyMailSender',
  'deleteMailSender',
  'createMailProvider',
  'updateMailProvider',
  'deleteMailProvider',
  'deleteSuppression',
  'createMessageProvider',
  'updateMessageProvider',
  'deleteMessageProvider',
  'createApiKey',
  'deleteApiKey',
  'createOauthApplication',
  'updateOauthApplication',
  'rotateOauthApplicationSecret',
  'deleteOauthGrant',
  'deleteOauthApplication',
];

test('each operation that changes something is listed once', () => {
  expect([...Object.keys(rows), ...silent].sort()).toEqual(writing.map(({ id }) => id).sort());
});

interface Told {
  type: string;
  data: { object: Record<string, unknown>; previous?: Record<string, unknown> };
}

async function toldBy(by: Client, work: () => Promise<Answer>): Promise<{ answer: Answer; events: Told[] }> {
  const [last] = (await by.get('/events?per_page=1')).body;
  const answer = await work();
  const events: (Told & { id: number })[] = (await by.get('/events')).body;
  return { answer, events: events.filter(({ id }) => id > (last?.id ?? 0)).toReversed() };
}

const called = writing.filter(({ id }) => id in rows).map((one) => [one.id, one.method, rows[one.id]] as const);

test.each(called)('%s', async (_id, method, row) => {
  const [path, body] = (await row?.request(await openShop(client, api.em))) ?? [''];
  const call = () => client.request(method, path, body);
  const { answer, events } = await toldBy(client, call);
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  const shown = events.map(({ type, data }) => {
    return [
      type,
      ...Object.keys(data.previous ?? {})
        .filter((name) => name !== 'payment_url')
        .sort(),
    ].join(' ');
  });
  expect(shown).toEqual(row?.events);
  for (const { data } of events) {
    for (const [name, was] of Object.entries(data.previous ?? {})) expect(data.object[name]).not.toEqual(was);
  }
  // The same request again, with the ids of the created lines, changes nothing and writes no event.
  if (method === 'POST') return;
  const again = Object.entries(body ?? {}).map(([name, value]) => [name, answer.body[name] ?? value]);
  const repeated = await toldBy(client, () => client.request(method, path, body && Object.fromEntries(again)));
  expect(repeated.events.map(({ type }) => type)).toEqual([]);
});

test.each(silent)('%s writes no event', async (id) => {
  const one = writing.find((operation) => operation.id === id);
  if (!one) throw new Error(`there is no ${id}`);
  await replaceSingle(other, world, id);
  const { path, body } = requestIn(world, one);
  const { answer, events } = await toldBy(other, () => other.request(one.method, path, body));
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  expect(events).toEqual([]);
});
