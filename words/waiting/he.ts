import type { WaitingWords } from './wording.ts';

export const he: WaitingWords = {
  task: {
    asked: {
      one: 'היא עוסקת בחשבונית פתוחה אחת. מועד פירעון: {day}.',
      two: 'היא עוסקת בשתי חשבוניות פתוחות. מועד הפירעון הראשון: {day}.',
      other: 'היא עוסקת ב־{count} חשבוניות פתוחות. מועד הפירעון הראשון: {day}.',
    },
    owing: 'הלקוח חייב {amount} שמועד פירעונם עבר.',
    due: 'היא תוכננה ל־{day}.',
    undated: 'אין לה מועד יעד.',
  },
  promise: 'הובטח תשלום של {amount} עד {day}, והוא לא הגיע.',
  line: 'הלקוח חולק על שורה: {reason}.',
  held: 'אין גובים את החשבונית עד {day}.',
  dispute: 'הבנק של המשלם מעכב {amount}: {reason}.',
  evidence: 'יש להגיש ראיות עד {day}.',
  failed: 'החיוב נכשל: {reason}.',
  again: 'ייעשה ניסיון נוסף ב־{day}.',
  over: 'לא ייעשה ניסיון נוסף.',
  arrived: '{amount} התקבלו ב־{day} ועדיין אינם משלמים דבר.',
  owed: 'הלקוח חייב {owed}.',
  stranger: 'התשלום אינו שייך לאף לקוח.',
  problem: '{step}: {message}.',
  tried: { one: 'ניסיון אחד מאז {day}.', two: 'שני ניסיונות מאז {day}.', other: '{count} ניסיונות מאז {day}.' },
};
