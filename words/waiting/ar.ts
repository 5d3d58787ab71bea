import type { WaitingWords } from './wording.ts';

export const ar: WaitingWords = {
  task: {
    asked: {
      one: 'تتعلق بفاتورة مفتوحة واحدة. تاريخ الاستحقاق: {day}.',
      two: 'تتعلق بفاتورتين مفتوحتين. أول تاريخ استحقاق: {day}.',
      few: 'تتعلق بـ {count} فواتير مفتوحة. أول تاريخ استحقاق: {day}.',
      other: 'تتعلق بـ {count} فاتورة مفتوحة. أول تاريخ استحقاق: {day}.',
    },
    owing: 'على العميل {amount} تجاوزت تاريخ الاستحقاق.',
    due: 'كانت مقررة في {day}.',
    undated: 'ليس لها تاريخ استحقاق.',
  },
  promise: 'وُعد بدفع {amount} بحلول {day} ولم يصل المبلغ.',
  line: 'يعترض العميل على بند: {reason}.',
  held: 'لا يطالب أحد بالفاتورة حتى {day}.',
  dispute: 'يحتجز بنك الدافع {amount}: {reason}.',
  evidence: 'يجب تقديم الأدلة حتى {day}.',
  failed: 'فشل التحصيل: {reason}.',
  again: 'ستُعاد المحاولة في {day}.',
  over: 'لن تُعاد المحاولة.',
  arrived: 'وصل {amount} في {day} ولا يسدد شيئًا بعد.',
  owed: 'على العميل {owed}.',
  stranger: 'لا تخص أي عميل.',
  problem: '{step}: {message}.',
  tried: {
    one: 'محاولة واحدة منذ {day}.',
    two: 'محاولتان منذ {day}.',
    few: '{count} محاولات منذ {day}.',
    other: '{count} محاولة منذ {day}.',
  },
};
