import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import {
  createShownCatalog,
  createShownInvoice,
  type ShownCatalog,
  shownEverywhere,
} from '../../support/shownDocuments.ts';

/** The totals of random invoices, read back from their pages and mails. */

let api: TestApi;
let catalog: ShownCatalog;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2027-03-01T10:00:00Z') });
  catalog = await createShownCatalog(api.sandbox);
});
afterAll(() => api.close());

test.each(Array.from({ length: 24 }, (_, seed) => seed))(
  'page, pay page and mail of invoice %d add up to its total and say the same',
  async (seed) => {
    const document = await createShownInvoice(api.sandbox, catalog, seed);
    const due = document.asked ?? document.balance;
    for (const [where, { total, due: shown }] of Object.entries(await shownEverywhere(api, document)))
      expect([where, Number(total), Number(shown)]).toEqual([where, document.total, due]);
  },
);
