import { customerIdOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Customer } from '../../db/schema/customer.ts';
import type { Theme } from '../../db/schema/theme.ts';
import { type ThemeChange, updateTheme } from '../catalog/themes.ts';
import type { PreviewedDocument } from './papers.ts';
import { addSample } from './samples.ts';

/** A theme that a document shows for the rest of a dry run. */
export interface TriedTheme {
  theme: Theme;
  object: PreviewedDocument;
}

/**
 * Changes a theme and gives it to a document, or to a sample of an invoice, for the rest of a dry run. Refuses what `updateTheme` refuses.
 * Throws Missing for an unknown theme.
 */
export async function tryTheme(
  em: EntityManager,
  { change, object: named }: { change: ThemeChange; object: PreviewedDocument | null },
  systemNow: Date,
): Promise<TriedTheme> {
  const { caller } = change;
  // Receipts of payments without a customer, and the sample, have the default theme.
  const theme = await updateTheme(em, { ...change, fields: { ...change.fields, isDefault: true } }, systemNow);
  await em.write();
  const object = named ?? { type: 'invoice', id: await addSample(em, { caller, type: 'invoice' }, systemNow) };
  const customerId = await customerIdOf(em, object.type, { accountId: theme.accountId, id: object.id });
  if (customerId !== null) await em.nativeUpdate(Customer, { accountId: theme.accountId, id: customerId }, { theme });
  return { theme, object };
}
