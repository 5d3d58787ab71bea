import { applicationsTo, CARD, line, type Row, type Shop } from './row.ts';

/** Operations on documents and money. */
export const documentRows: Record<string, Row> = {
  createInvoice: {
    request: async ({ customer }) => ['/invoices', { customer, items: line(5) }],
    events: ['invoice.created'],
  },
  updateInvoice: {
    request: async ({ invoice }) => [`/invoices/${await invoice(5)}`, { notes: 'n', items: line(7) }],
    events: ['invoice.updated balance items notes subtotal total'],
  },
  deleteInvoice: {
    request: async ({ invoice }) => [`/invoices/${await invoice(5, { draft: true })}`],
    events: ['invoice.deleted balance closed status'],
  },
  voidInvoice: {
    request: async ({ invoice }) => [`/invoices/${await invoice(5)}/void`],
    events: ['invoice.updated balance closed status'],
  },
  writeOffInvoice: {
    request: async ({ invoice }) => [`/invoices/${await invoice(5)}/write_off`, { amount: 2, reason: 'Goodwill' }],
    events: ['invoice.updated balance write_off_reason written_off'],
  },
  reverseWriteOff: {
    request: async ({ invoice, client }) => {
      const id = await invoice(5);
      await client.post(`/invoices/${id}/write_off`, { amount: 2, reason: 'Goodwill' });
      return [`/write_offs/${(await client.get(`/write_offs?filter[invoice]=${id}`)).body[0].id}`];
    },
    events: ['invoice.updated balance write_off_reason written_off'],
  },
  revokeInvoiceLinks: {
    request: async ({ invoice }) => [`/invoices/${await invoice(5)}/revoke_links`],
    events: ['invoice.updated pdf_url url'],
  },
  promiseInvoice: {
    request: async ({ client, invoice }) => {
      await client.patch('/account', { portal_promise_days: 10 });
      return [`/invoices/${await invoice(5)}/promise`, { date: Math.floor(Date.now() / 1000) + 86_400 }];
    },
    events: ['invoice.payment_expected expected_payment_date expected_payment_status'],
  },
  disputeInvoiceLine: {
    request: async ({ client, invoice }) => {
      await client.patch('/account', { portal_disputes: true });
      const id = await invoice(5);
      const { body } = await client.get(`/invoices/${id}`);
      return [`/invoices/${id}/dispute`, { line_item: body.items[0].id, reason: 'Returned' }];
    },
    events: ['invoice.updated dispute_hold_until disputed_lines', 'task.created'],
  },
  sendInvoice: {
    request: async ({ invoice }) => [`/invoices/${await invoice(5)}/emails`],
    events: ['invoice.updated status'],
  },
  payInvoice: {
    request: async ({ client, customer, make, invoice }) => {
      await make(`/customers/${customer}/payment_sources`, CARD);
      await client.patch(`/customers/${customer}`, { autopay: true });
      return [`/invoices/${await invoice(5)}/pay`];
    },
    events: ['invoice.paid attempt_count balance closed next_payment_attempt paid status', 'payment.created'],
  },
  ...paymentPlans(),
  ...estimates(),
  ...creditNotes(),
  createPayment: {
    request: async ({ customer, invoice }) => {
      return ['/payments', { customer, amount: 5, applied_to: applicationsTo(await invoice(5), 5) }];
    },
    events: ['invoice.paid balance closed paid status', 'payment.created'],
  },
  updatePayment: {
    request: async (shop) => [`/payments/${await paid(shop)}`, { notes: 'n', applied_to: [] }],
    // The invoice that the payment paid is open again, so it is suggested for it.
    events: ['invoice.updated balance closed paid status', 'payment.updated balance matched notes'],
  },
  refusePaymentMatches: {
    request: async ({ make, invoice }) => {
      await invoice(6);
      return [`/payments/${await make('/payments', { amount: 6 })}/matches`];
    },
    events: ['payment.updated matched'],
  },
  importPayments: {
    request: async () => {
      return ['/payments/import', { csv: 'date,amount\n2027-03-01,5', mapping: { date: 'date', amount: 'amount' } }];
    },
    events: ['payment.created'],
  },
  undoPaymentImport: {
    request: async ({ client }) => {
      const sent = { csv: 'date,amount\n2027-03-02,5', mapping: { date: 'date', amount: 'amount' } };
      const { body } = await client.post('/payments/import', sent);
      return ['/payments/import/undo', { payments: [body.rows[0].payment] }];
    },
    events: ['payment.deleted balance matched pdf_url voided'],
  },
  voidPayment: {
    request: async (shop) => [`/payments/${await paid(shop)}`],
    events: ['invoice.updated balance closed paid status', 'payment.deleted pdf_url voided'],
  },
  revokeReceiptLinks: {
    request: async (shop) => [`/payments/${await paid(shop)}/revoke_links`],
    events: ['payment.updated pdf_url'],
  },
  createCharge: {
    request: async ({ customer, invoice }) => {
      return ['/charges', { customer, amount: 5, applied_to: applicationsTo(await invoice(5), 5), ...CARD }];
    },
    events: ['invoice.paid attempt_count balance closed paid status', 'payment.created'],
  },
  createRefund: {
    request: async ({ customer, invoice, client }) => {
      const charged = { customer, amount: 5, applied_to: applicationsTo(await invoice(5), 5), ...CARD };
      const { charge } = await client.make('/charges', charged);
      return [`/charges/${charge.id}/refunds`, { amount: 2 }];
    },
    events: ['payment.updated amount_refunded charge refunds'],
  },
  recordRefund: {
    request: async (shop) => ['/refunds', { payment: await paid(shop), amount: 2, method: 'check' }],
    events: ['payment.updated amount_refunded refunds'],
  },
  deleteRefund: {
    request: async (shop) => [
      `/refunds/${await shop.make('/refunds', { payment: await paid(shop), amount: 2, method: 'check' })}`,
    ],
    events: ['payment.updated amount_refunded refunds'],
  },
};

async function paid({ customer, make, invoice }: Shop): Promise<number> {
  return make('/payments', { customer, amount: 5, applied_to: applicationsTo(await invoice(5), 5) });
}

/** Two installments of an invoice of 5.00. */
const installments = [4_070_908_800, 4_073_587_200].map((date, index) => ({ date, amount: 2 + index }));

function paymentPlans(): Record<string, Row> {
  const setPaymentPlan: Row = {
    request: async ({ invoice }) => [`/invoices/${await invoice(5)}/payment_plan`, { installments }],
    events: ['payment_plan.created', 'invoice.updated due_date payment_plan payment_terms'],
  };
  return {
    setPaymentPlan,
    createPaymentPlan: setPaymentPlan,
    updatePaymentPlan: {
      request: async ({ invoice, client }) => {
        const path = `/invoices/${await invoice(5)}/payment_plan`;
        const { body } = await client.request('PUT', path, { installments });
        return [path, { installments: [{ id: body.installments[1].id, date: 4_078_771_200 }] }];
      },
      events: ['payment_plan.updated installments', 'invoice.updated'],
    },
    cancelPaymentPlan: {
      request: async ({ invoice, client }) => {
        const path = `/invoices/${await invoice(5)}/payment_plan`;
        await client.request('PUT', path, { installments });
        return [path];
      },
      events: ['payment_plan.deleted status', 'invoice.updated due_date payment_terms'],
    },
  };
}

function estimates(): Record<string, Row> {
  const estimate = ({ customer, make }: Shop, more: object = {}) =>
    make('/estimates', { customer, items: line(5), ...more });
  return {
    createEstimate: {
      request: async ({ customer }) => ['/estimates', { customer, items: line(5) }],
      events: ['estimate.created'],
    },
    updateEstimate: {
      request: async (shop) => [`/estimates/${await estimate(shop)}`, { notes: 'n', items: line(7) }],
      events: ['estimate.updated items notes subtotal total'],
    },
    deleteEstimate: {
      request: async (shop) => [`/estimates/${await estimate(shop, { draft: true })}`],
      events: ['estimate.deleted'],
    },
    voidEstimate: {
      request: async (shop) => [`/estimates/${await estimate(shop)}/void`],
      events: ['estimate.updated closed status'],
    },
    revokeEstimateLinks: {
      request: async (shop) => [`/estimates/${await estimate(shop)}/revoke_links`],
      events: ['estimate.updated pdf_url url'],
    },
    sendEstimate: {
      request: async (shop) => [`/estimates/${await estimate(shop)}/emails`],
      events: ['estimate.updated status'],
    },
    invoiceEstimate: {
      request: async (shop) => [`/estimates/${await estimate(shop)}/invoice`],
      events: ['estimate.updated closed invoice status', 'invoice.created'],
    },
  };
}

function creditNotes(): Record<string, Row> {
  const note = ({ customer, make }: Shop, more: object = {}) =>
    make('/credit_notes', { customer, items: line(5), ...more });
  return {
    createCreditNote: {
      request: async ({ customer, invoice }) => [
        '/credit_notes',
        { customer, invoice: await invoice(9), items: line(5) },
      ],
      events: ['invoice.updated balance', 'payment.created', 'credit_note.created'],
    },
    updateCreditNote: {
      request: async (shop) => [`/credit_notes/${await note(shop)}`, { notes: 'n' }],
      events: ['credit_note.updated notes'],
    },
    revokeCreditNoteLinks: {
      request: async (shop) => [`/credit_notes/${await note(shop)}/revoke_links`],
      events: ['credit_note.updated pdf_url url'],
    },
    deleteCreditNote: {
      request: async (shop) => [`/credit_notes/${await note(shop, { draft: true })}`],
      events: ['credit_note.deleted balance closed status'],
    },
    sendCreditNote: {
      request: async (shop) => [`/credit_notes/${await note(shop)}/emails`],
      // Sending changes no presented field.
      events: ['credit_note.updated'],
    },
    voidCreditNote: {
      request: async (shop) => [`/credit_notes/${await note(shop)}/void`],
      events: ['credit_note.updated balance closed status'],
    },
  };
}
