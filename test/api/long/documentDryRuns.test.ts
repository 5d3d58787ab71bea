import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, successBody, type TestApi } from '../../support/api.ts';
import { withoutIdentity } from '../../support/dryRuns.ts';
import { randomOf } from '../../support/random.ts';
import { createShownCatalog, type ShownCatalog, shownContent } from '../../support/shownDocuments.ts';

/** The totals that the editor shows while somebody types are those of the dry run. They equal those of the issued document. */

const DOCUMENTS = 500;

let api: TestApi;
let catalog: ShownCatalog;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2027-03-01T10:00:00Z') });
  catalog = await createShownCatalog(api.sandbox);
});
afterAll(() => api.close());

test('500 random invoices are issued as their dry runs show them, to the cent', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
  for (let seed = 1000; seed < 1000 + DOCUMENTS; seed += 1) {
    const body = { customer, ...shownContent(catalog, randomOf(seed)) };
    const foreseen = successBody(await api.sandbox.post('/invoices?dry_run=true', body)).invoice;
    const issued = await api.sandbox.make('/invoices', body);
    expect([seed, withoutIdentity(foreseen)]).toEqual([seed, withoutIdentity(issued)]);
  }
});
