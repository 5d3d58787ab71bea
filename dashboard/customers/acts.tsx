import type { ComponentType } from 'react';
import type { Row } from '../kinds/kind.ts';
import { isMerged } from '../kinds/people.ts';
import { Acts } from '../objects/acts.tsx';
import type { Own } from '../objects/read.ts';
import { useFormWords } from '../words.ts';
import type { ActName, Begun } from './act.tsx';
import { Merge } from './merge.tsx';
import { Portal } from './portal.tsx';
import { Assign, Hold, MergedInto, OnHold, PromiseToPay, Release } from './standing.tsx';
import { SendStatement } from './statement.tsx';
import { AddNote, AddTask, LogCall } from './talking.tsx';

interface Offered {
  name: ActName;
  /** All of them are needed. */
  permissions: readonly string[];
  isShown?(row: Row): boolean;
  Dialog: ComponentType<Begun>;
}

const isActive = ({ active }: Row): boolean => active !== false;

/** In the order of how often they are needed. */
const offered: readonly Offered[] = [
  { name: 'call', permissions: ['collections.write'], Dialog: LogCall },
  { name: 'statement', permissions: ['customers.write'], Dialog: SendStatement },
  { name: 'promise', permissions: ['documents.write'], Dialog: PromiseToPay },
  { name: 'note', permissions: ['customers.write'], Dialog: AddNote },
  { name: 'task', permissions: ['collections.write'], Dialog: AddTask },
  { name: 'assign', permissions: ['customers.write'], Dialog: Assign },
  { name: 'hold', permissions: ['customers.write'], isShown: (row) => row.credit_hold !== true, Dialog: Hold },
  { name: 'release', permissions: ['customers.write'], isShown: (row) => row.credit_hold === true, Dialog: Release },
  {
    name: 'portal',
    permissions: ['customers.read', 'documents.read', 'payments.read', 'subscriptions.read'],
    Dialog: Portal,
  },
  { name: 'merge', permissions: ['customers.write'], isShown: isActive, Dialog: Merge },
];

/** What a person can do for a customer, as far as its permissions allow. */
export function CustomerActs(own: Own) {
  const { row } = own;
  const { care } = useFormWords();
  if (isMerged(row)) return <MergedInto row={row} />;
  const acts = offered.filter(({ isShown }) => isShown?.(row) ?? true);
  return (
    <div className="care">
      {row.credit_hold === true && <OnHold row={row} />}
      <Acts
        own={own}
        offered={acts.map(({ Dialog, ...act }) => ({ ...act, label: care[act.name].act, does: { Dialog } }))}
      />
    </div>
  );
}
