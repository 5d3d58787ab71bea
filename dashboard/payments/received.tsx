import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import { currencyOf, Money } from '../lists/value.tsx';
import { useWords } from '../words.ts';
import { useReceivingWords } from './words.ts';

/** Whether an element has come into sight. What is out of sight is not read. */
export function useSeen() {
  const place = useRef<HTMLLIElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    }, MARGIN);
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, isSeen };
}

/** What comes into sight next is read before. */
const MARGIN = { rootMargin: '600px 0px' };

/** Where the money comes from, and how much of it is left. */
export function Received({ row }: { row: Row }) {
  const words = useReceivingWords();
  const { choices } = useWords();
  const formats = useFormats();
  const { date, balance, customer } = row;
  const methods: Readonly<Record<string, string>> = choices.method;
  const method = textOf(row, 'method');
  const sender = textOf(row, 'ach_sender_id');
  return (
    <div className="received">
      <strong>{typeof balance === 'number' && <Money amount={balance} currency={currencyOf(row)} />}</strong>
      <span>
        {typeof date === 'number' && formats.day(date)} · {methods[method] ?? method}
      </span>
      {typeof customer === 'object' && customer !== null && <b dir="auto">{textOf({ ...customer }, 'name')}</b>}
      {textOf(row, 'notes') !== '' && <span dir="auto">{textOf(row, 'notes')}</span>}
      <Link to="/$list/$id" params={{ list: 'payments', id: textOf(row, 'id') }} dir="auto">
        {textOf(row, 'reference') || textOf(row, 'receipt_number') || textOf(row, 'id')}
      </Link>
      {sender !== '' && <small dir="auto">{fill(words.from, { sender })}</small>}
    </div>
  );
}
