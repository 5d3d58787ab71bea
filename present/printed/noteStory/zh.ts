import type { StoryWords } from './wording.ts';

export const zh: StoryWords = {
  title: '贷记单的使用情况',
  paid: '{amount} 已用于账单 {number}。',
  added: '{amount} 已计入您的贷方余额。',
  addedPays: '{amount} 已计入您的贷方余额，将用于支付您未付或今后的账单。',
  usedForInvoice: '其中 {amount} 已支付账单 {number}。',
  usedForDeposit: '其中 {amount} 已支付报价单 {number} 的定金。',
  usedOtherwise: '{amount} 已作其他用途。',
  left: '您的贷方余额中还剩 {amount}。',
  leftPays: '您的贷方余额中还剩 {amount}，将用于支付您未付或今后的账单。',
  nothingLeft: '已无剩余。',
  canPay: '可用于支付您的账单。',
  restCanPay: '此贷记单尚有 {amount} 未使用，可用于支付其他账单。',
  lapsed: '{amount} 未使用，已失效。',
  excess: '此外，{amount} 已计入您的贷方余额。',
  otherUses: '其他用途',
  lapsedLabel: '已失效',
};
