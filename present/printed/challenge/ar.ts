import type { ChallengeWords } from './wording.ts';

export const ar: ChallengeWords = {
  bank: 'بنك تجريبي',
  authenticateTitle: 'تأكيد الهوية',
  question: 'هل هذا أنت؟',
  why: 'هنا يطلب بنك البطاقة من عميله تأكيد هويته. هذه الصفحة تمثل صفحة البنك.',
  payment: 'دفعة',
  saveCard: 'حفظ بطاقة',
  noCharge: 'بدون خصم',
  authenticate: 'تأكيد',
  fail: 'رفض',
  endedTitle: 'انتهى هذا الطلب',
  endedWhy: 'تم الرد عليه من قبل، أو انتظر مدة طويلة.',
  back: 'رجوع',
  missingTitle: 'لا يوجد شيء هنا',
  missingWhy: 'العنوان غير مكتمل.',
  foreignTitle: 'مرفوض',
  foreignWhy: 'جاء الرد من موقع آخر.',
};
