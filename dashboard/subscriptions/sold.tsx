import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { fill } from '../../words/text.ts';
import { Panel } from '../customers/panel.tsx';
import { useFormats } from '../formats.ts';
import { idIn, type Row, textOf } from '../kinds/kind.ts';
import { currencyOf, Money } from '../lists/value.tsx';
import { rowsIn } from '../objects/sums.ts';
import { useWords } from '../words.ts';
import { useSubscribingWords } from './words.ts';

const rowIn = (value: unknown): Row => (typeof value === 'object' && value !== null ? { ...value } : {});

/** What a subscription bills each period: its plan, add-ons, discounts and taxes. */
export function Sold({ row }: { row: Row }) {
  const words = useSubscribingWords();
  const { fields } = useWords();
  const { plan, quantity, amount } = row;
  const part = { plan, quantity, amount };
  const addons = rowsIn(row, 'addons');
  const [discounts, taxes] = ['discounts', 'taxes'].map((name) => rowsIn(row, name));
  return (
    <Panel title={words.bills}>
      <dl className="facts plan">
        <Fact name={fields.plan}>
          <PartSold part={part} currency={currencyOf(row)} />
        </Fact>
        {addons.length > 0 && (
          <Fact name={words.addons}>
            <Parts parts={addons} currency={currencyOf(row)} />
          </Fact>
        )}
        <Adjustments name={words.discounts} all={orNone(discounts)} list="coupons" />
        <Adjustments name={words.taxes} all={orNone(taxes)} list={null} />
      </dl>
    </Panel>
  );
}

const orNone = (all: readonly Row[] = []): readonly Row[] | null => (all.length > 0 ? all : null);

/** A change that waits for the next period or contract. */
export function Pending({ row }: { row: Row }) {
  const words = useSubscribingWords();
  const { fields } = useWords();
  const formats = useFormats();
  const { pending_change: pending, contract_period_end: contractEnd, period_end: periodEnd } = row;
  if (typeof pending !== 'object' || pending === null) return null;
  const change: Row = { ...pending };
  const day = contractEnd ?? periodEnd;
  const currency = currencyOf(row);
  const { quantity, amount, cycles } = change;
  return (
    <Panel title={fill(words.pending, { day: typeof day === 'number' ? formats.day(day) : '' })}>
      <dl className="facts plan">
        {typeof change.plan === 'string' && (
          <Fact name={fields.plan}>
            <PartSold part={{ plan: change.plan, quantity: 1 }} currency={currency} />
          </Fact>
        )}
        {typeof quantity === 'number' && <Fact name={fields.quantity}>{formats.number(quantity)}</Fact>}
        {typeof amount === 'number' && (
          <Fact name={fields.amount}>
            <Money amount={amount} currency={currency} />
          </Fact>
        )}
        {typeof cycles === 'number' && <Fact name={words.change.cycles}>{formats.number(cycles)}</Fact>}
        {Array.isArray(change.addons) && (
          <Fact name={words.addons}>
            <Parts parts={rowsIn(change, 'addons')} currency={currency} />
          </Fact>
        )}
        <Adjustments
          name={words.discounts}
          all={Array.isArray(change.discounts) ? rowsIn(change, 'discounts') : null}
          list="coupons"
        />
        <Adjustments
          name={words.taxes}
          all={Array.isArray(change.taxes) ? rowsIn(change, 'taxes') : null}
          list={null}
        />
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Parts({ parts, currency }: { parts: readonly Row[]; currency: string | null }) {
  const words = useSubscribingWords();
  if (parts.length === 0) return words.removed;
  return (
    <ul className="soldparts">
      {parts.map((part, place) => (
        <li key={place}>
          <PartSold part={part} currency={currency} />
        </li>
      ))}
    </ul>
  );
}

/** A plan or item with its quantity, and its price if the subscription has agreed on one. */
function PartSold({ part, currency }: { part: Row; currency: string | null }) {
  const words = useSubscribingWords();
  const formats = useFormats();
  const { quantity, amount, plan } = part;
  const sold = plan ?? part.catalog_item;
  const id = idIn(sold);
  const name = textOf(part, 'description') || textOf(part, 'name') || textOf(rowIn(sold), 'name') || id;
  return (
    <>
      <Link to="/$list/$id" params={{ list: plan ? 'plans' : 'items', id }} dir="auto">
        {typeof quantity === 'number' && quantity !== 1
          ? fill(words.sold, { quantity: formats.number(quantity), name })
          : name}
      </Link>
      {typeof amount === 'number' && (
        <>
          {' · '}
          <Money amount={amount} currency={currency} />
        </>
      )}
    </>
  );
}

interface AdjustmentsShown {
  name: string;
  /** Null: it is not about them. */
  all: readonly Row[] | null;
  list: 'coupons' | null;
}

function Adjustments({ name, all, list }: AdjustmentsShown) {
  const words = useSubscribingWords();
  if (all === null) return null;
  if (all.length === 0) return <Fact name={name}>{words.removed}</Fact>;
  return (
    <Fact name={name}>
      <ul className="soldparts">
        {all.map((one) => {
          const id = textOf(one, 'id');
          const text = textOf(one, 'name') || id || words.removed;
          return (
            <li key={id}>
              {list === null ? (
                <span dir="auto">{text}</span>
              ) : (
                <Link to="/$list/$id" params={{ list, id }} dir="auto">
                  {text}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Fact>
  );
}
