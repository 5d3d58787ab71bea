import { Rational } from './rational.ts';
import { type Invoice, type Line, netOf } from './subscriptionOracleInvoice.ts';
import type { Cover } from './subscriptionOracleState.ts';
import { ratesOn, type TaxRate } from './subscriptionOracleTerms.ts';

// Billed and pending prices of the oracle of subscriptions.

/** Gives the cover of a pending line the invoice that has taken it. */
export function bindCover(
  cover: Cover,
  by: { lines: readonly Line[]; invoice: Invoice; taxes: readonly TaxRate[] },
): void {
  const places = cover.lines.map((line) => by.lines.indexOf(line));
  const [first] = cover.lines;
  if (!first || places.includes(-1)) return;
  cover.invoice = by.invoice;
  const nets = by.invoice.lines.filter((_, at) => places.includes(at)).map(netOf);
  cover.net = new Rational(nets.reduce((sum, net) => sum + net, 0n));
  cover.taxes = ratesOn(first, by.taxes);
}
