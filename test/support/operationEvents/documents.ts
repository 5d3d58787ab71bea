import { CARD, line, pays, type Row, type Shop } from './row.ts';

/** Operations on documents and money. */
export const documentRows: Record<string, Row> = {
  createInvoice: {
    given: async ({ customer }) => ['/invoices', { customer, items: line(5) }],
    tells: ['invoice.created'],
  },
  updateInvoice: {
    given: async ({ invoice }) => [`/invoices/${await invoice(5)}`, { notes: 'n', items: line(7) }],
    tells: ['invoice.updated balance items notes subtotal total'],
  },
  deleteInvoice: {
    given: async ({ invoice }) => [`/invoices/${await invoice(5, { draft: true })}`],
    tells: ['invoice.deleted balance closed status'],
  },
  voidInvoice: {
    given: async ({ invoice }) => [`/invoices/${await invoice(5)}/void`],
    tells: ['invoice.updated balance closed status'],
  },
  sendInvoice: {
    given: async ({ invoice }) => [`/invoices/${await invoice(5)}/emails`],
    tells: ['invoice.updated status'],
  },
  payInvoice: {
    given: async ({ client, customer, make, invoice }) => {
      await make(`/customers/${customer}/payment_sources`, CARD);
      await client.patch(`/customers/${customer}`, { autopay: true });
      return [`/invoices/${await invoice(5)}/pay`];
    },
    tells: ['invoice.paid attempt_count balance closed next_payment_attempt paid status', 'payment.created'],
  },
  ...estimates(),
  ...creditNotes(),
  createPayment: {
    given: async ({ customer, invoice }) => {
      return ['/payments', { customer, amount: 5, applied_to: pays(await invoice(5), 5) }];
    },
    tells: ['invoice.paid balance closed paid status', 'payment.created'],
  },
  updatePayment: {
    given: async (shop) => [`/payments/${await paid(shop)}`, { notes: 'n', applied_to: [] }],
    tells: ['invoice.updated balance closed paid status', 'payment.updated balance notes'],
  },
  voidPayment: {
    given: async (shop) => [`/payments/${await paid(shop)}`],
    tells: ['invoice.updated balance closed paid status', 'payment.deleted pdf_url voided'],
  },
  createCharge: {
    given: async ({ customer, invoice }) => {
      return ['/charges', { customer, amount: 5, applied_to: pays(await invoice(5), 5), ...CARD }];
    },
    tells: ['invoice.paid attempt_count balance closed paid status', 'payment.created'],
  },
};

async function paid({ customer, make, invoice }: Shop): Promise<number> {
  return make('/payments', { customer, amount: 5, applied_to: pays(await invoice(5), 5) });
}

function estimates(): Record<string, Row> {
  const estimate = ({ customer, make }: Shop, more: object = {}) =>
    make('/estimates', { customer, items: line(5), ...more });
  return {
    createEstimate: {
      given: async ({ customer }) => ['/estimates', { customer, items: line(5) }],
      tells: ['estimate.created'],
    },
    updateEstimate: {
      given: async (shop) => [`/estimates/${await estimate(shop)}`, { notes: 'n', items: line(7) }],
      tells: ['estimate.updated items notes subtotal total'],
    },
    deleteEstimate: {
      given: async (shop) => [`/estimates/${await estimate(shop, { draft: true })}`],
      tells: ['estimate.deleted'],
    },
    voidEstimate: {
      given: async (shop) => [`/estimates/${await estimate(shop)}/void`],
      tells: ['estimate.updated closed status'],
    },
    sendEstimate: {
      given: async (shop) => [`/estimates/${await estimate(shop)}/emails`],
      tells: ['estimate.updated status'],
    },
    invoiceEstimate: {
      given: async (shop) => [`/estimates/${await estimate(shop)}/invoice`],
      tells: ['estimate.updated closed invoice status', 'invoice.created'],
    },
  };
}

function creditNotes(): Record<string, Row> {
  const note = ({ customer, make }: Shop, more: object = {}) =>
    make('/credit_notes', { customer, items: line(5), ...more });
  return {
    createCreditNote: {
      given: async ({ customer, invoice }) => [
        '/credit_notes',
        { customer, invoice: await invoice(9), items: line(5) },
      ],
      tells: ['invoice.updated balance', 'payment.created', 'credit_note.created'],
    },
    updateCreditNote: {
      given: async (shop) => [`/credit_notes/${await note(shop)}`, { notes: 'n' }],
      tells: ['credit_note.updated notes'],
    },
    deleteCreditNote: {
      given: async (shop) => [`/credit_notes/${await note(shop, { draft: true })}`],
      tells: ['credit_note.deleted balance closed status'],
    },
    sendCreditNote: {
      given: async (shop) => [`/credit_notes/${await note(shop)}/emails`],
      // That it was sent is not among its fields.
      tells: ['credit_note.updated'],
    },
    voidCreditNote: {
      given: async (shop) => [`/credit_notes/${await note(shop)}/void`],
      tells: ['credit_note.updated balance closed status'],
    },
  };
}
