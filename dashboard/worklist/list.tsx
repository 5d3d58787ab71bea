import { useEffect, useRef } from 'react';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { Money } from '../lists/value.tsx';
import { type Item, nameOf } from './items.ts';
import { useWorkWords } from './words.ts';

interface Shown {
  items: readonly Item[];
  openId: string | null;
  choose(item: Item): void;
}

/** The items in their order. The open one alone is a stop of the Tab key; keys move from there. */
export function ItemList({ items, openId, choose }: Shown) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (openId) list.current?.querySelector('.row[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [openId]);
  return (
    <ol ref={list}>
      {items.map((item) => (
        <li key={item.id}>
          <button
            type="button"
            className={`row ${item.kind}`}
            tabIndex={item.id === openId ? 0 : -1}
            aria-current={item.id === openId ? 'true' : undefined}
            onClick={() => choose(item)}
          >
            <Row item={item} />
          </button>
        </li>
      ))}
    </ol>
  );
}

function Row({ item }: { item: Item }) {
  const words = useWorkWords();
  const formats = useFormats();
  const { kind, title, why, money_at_risk: amount, currency, due_at: due } = item;
  return (
    <>
      <strong dir="auto">{nameOf(item)}</strong>
      <span className="figure">{amount !== null && <Money amount={amount} currency={currency} />}</span>
      <span className="kind" dir="auto">
        {kind === 'task' ? title : words.kind[kind]}
      </span>
      <span className="day">{due === null ? '' : fill(words.by, { day: formats.day(due) })}</span>
      <span className="reason" dir="auto">
        {why}
      </span>
    </>
  );
}
