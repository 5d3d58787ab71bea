import type { ChallengeWords } from './wording.ts';

export const de: ChallengeWords = {
  bank: 'Testbank',
  authenticateTitle: 'Bestätigen',
  question: 'Sind Sie das?',
  why: 'Hier bittet die Bank der Karte ihren Kunden um eine Bestätigung. Diese Seite steht für die Seite der Bank.',
  payment: 'Zahlung',
  saveCard: 'Karte speichern',
  noCharge: 'Keine Belastung',
  authenticate: 'Bestätigen',
  fail: 'Ablehnen',
  endedTitle: 'Diese Anfrage ist beendet',
  endedWhy: 'Sie wurde schon beantwortet, oder sie hat zu lange gewartet.',
  back: 'Zurück',
  missingTitle: 'Hier ist nichts',
  missingWhy: 'Die Adresse ist nicht vollständig.',
  foreignTitle: 'Abgelehnt',
  foreignWhy: 'Die Antwort kam von einer anderen Website.',
};
