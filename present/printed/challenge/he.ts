import type { ChallengeWords } from './wording.ts';

export const he: ChallengeWords = {
  bank: 'בנק לבדיקה',
  authenticateTitle: 'אימות',
  question: 'האם זה אתם?',
  why: 'כאן הבנק של הכרטיס מבקש מהלקוח לאמת את זהותו. דף זה מייצג את דף הבנק.',
  payment: 'תשלום',
  saveCard: 'שמירת כרטיס',
  noCharge: 'ללא חיוב',
  authenticate: 'אישור',
  fail: 'דחייה',
  endedTitle: 'הבקשה הסתיימה',
  endedWhy: 'כבר התקבלה תשובה, או שהבקשה המתינה זמן רב מדי.',
  back: 'חזרה',
  missingTitle: 'אין כאן דבר',
  missingWhy: 'הכתובת אינה מלאה.',
  foreignTitle: 'נדחה',
  foreignWhy: 'התשובה הגיעה מאתר אחר.',
};
