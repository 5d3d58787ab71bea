import type { EntityManager } from '../../orm.ts';
import type { ChargeStatus } from '../../schema/charge.ts';

/** Money that a payment gave to an invoice, or to the deposit of an estimate. */
export interface PaidPart {
  paymentId: number;
  /** Token of the receipt. */
  token: string;
  date: Date;
  /** Decimal text. */
  amount: string;
  voided: boolean;
  /** The whole payment, and the part of it that credit pays. */
  paid: string;
  credit: string;
  /** Null: it was not charged. */
  chargeStatus: ChargeStatus | null;
  /** Whether the payment pays other documents, too. */
  paysOthers: boolean;
}

const MOST = 100;

/** SQL: the parts of payments that are money for a document, and the other parts of the same payments that name another one. */
const partsOf = {
  invoice: {
    own: "part.invoice_id = ? and part.type = 'invoice'",
    other: "other.invoice_id <> part.invoice_id or other.type = 'estimate'",
  },
  estimate: {
    own: "part.estimate_id = ? and part.type = 'estimate'",
    other: "other.estimate_id <> part.estimate_id or other.type = 'invoice'",
  },
} as const;

/** The money that payments gave to an invoice, or to the deposit of an estimate, oldest first; at most a hundred payments. */
export async function paidParts(
  em: EntityManager,
  document: { accountId: number; type: keyof typeof partsOf; id: number },
): Promise<PaidPart[]> {
  const { accountId, type, id } = document;
  const { own, other } = partsOf[type];
  const rows = await em.execute<(Omit<PaidPart, 'date'> & { date: string | Date })[]>(
    `select payment.id as "paymentId", payment.token, payment.date, part.amount, payment.voided, payment.amount as paid,
       payment.credit, charge.status as "chargeStatus", exists (
         select 1 from payment_application other
         where other.account_id = part.account_id and other.payment_id = part.payment_id and (${other})) as "paysOthers"
     from payment_application part
     join payment on payment.account_id = part.account_id and payment.id = part.payment_id
     left join charge on charge.account_id = payment.account_id and charge.id = payment.charge_id
     where part.account_id = ? and ${own}
     order by payment.date, part.id limit ${MOST}`,
    [accountId, id],
  );
  return rows.map((row) => ({ ...row, date: new Date(row.date) }));
}
