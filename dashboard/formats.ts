import { createContext, useContext } from 'react';
import type { Formats } from './written.ts';

/** How values are written for the person, below the frame. */
export const FormatsContext = createContext<Formats | null>(null);

export function useFormats(): Formats {
  const formats = useContext(FormatsContext);
  if (formats === null) throw new Error('formats were used before the account was loaded');
  return formats;
}
