import type { WaitingWords } from './wording.ts';

export const de: WaitingWords = {
  task: {
    asked: {
      one: 'Es geht um {count} offene Rechnung. Fällig: {day}.',
      other: 'Es geht um {count} offene Rechnungen. Erste Fälligkeit: {day}.',
    },
    owing: 'Der Kunde schuldet {amount} über die Fälligkeit hinaus.',
    due: 'Geplant für den {day}.',
    undated: 'Sie hat kein Fälligkeitsdatum.',
  },
  promise: '{amount} wurden bis zum {day} zugesagt und kamen nicht.',
  line: 'Der Kunde bestreitet eine Position: {reason}.',
  held: 'Bis zum {day} mahnt niemand die Rechnung an.',
  dispute: 'Die Bank des Zahlers hält {amount} zurück: {reason}.',
  evidence: 'Belege sind bis zum {day} einzureichen.',
  failed: 'Die Abbuchung ist fehlgeschlagen: {reason}.',
  again: 'Sie wird am {day} wiederholt.',
  over: 'Sie wird nicht wiederholt.',
  arrived: '{amount} sind am {day} eingegangen und noch nichts zugeordnet.',
  owed: 'Der Kunde schuldet {owed}.',
  stranger: 'Sie gehört zu keinem Kunden.',
  problem: '{step}: {message}.',
  tried: { one: '{count} Versuch seit dem {day}.', other: '{count} Versuche seit dem {day}.' },
};
