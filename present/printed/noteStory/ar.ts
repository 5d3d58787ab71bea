import type { StoryWords } from './wording.ts';

export const ar: StoryWords = {
  title: 'استخدام الإشعار الدائن',
  paid: 'تم تخصيص {amount} للفاتورة {number}.',
  added: 'أضيف {amount} إلى رصيدكم الدائن.',
  addedPays: 'أضيف {amount} إلى رصيدكم الدائن، وتُسدَّد منه فواتيركم المفتوحة أو القادمة.',
  usedForInvoice: 'سُدِّدت منه الفاتورة {number} بمبلغ {amount}.',
  usedForDeposit: 'سُدِّدت منه الدفعة المقدمة لعرض السعر {number} بمبلغ {amount}.',
  usedOtherwise: 'استُخدم {amount} بطريقة أخرى.',
  left: 'تبقّى {amount} في رصيدكم الدائن.',
  leftPays: 'تبقّى {amount} في رصيدكم الدائن، وتُسدَّد منه فواتيركم المفتوحة أو القادمة.',
  nothingLeft: 'لم يتبقَّ منه شيء.',
  canPay: 'يمكن استخدامه لدفع فواتيركم.',
  restCanPay: 'لم يُستخدم بعد {amount} من هذا الإشعار الدائن؛ ويمكن استخدامه لدفع فواتير أخرى.',
  lapsed: 'لم يُستخدم {amount} وسقط الحق فيه.',
  excess: 'بالإضافة إلى ذلك، أضيف {amount} إلى رصيدكم الدائن.',
  otherUses: 'استخدامات أخرى',
  lapsedLabel: 'سقط الحق فيه',
};
