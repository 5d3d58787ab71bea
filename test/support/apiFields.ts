/** The fields of api.md by object. Every response has all of them; unset ones are null. */
export const apiFields = {
  item: words(`id object name currency unit_cost description type taxable taxes taxengine_tax_code taxengine_location_code gl_account
    discountable created_at updated_at metadata`),
  plan: words(`id object catalog_item name currency amount pricing_mode quantity_type interval interval_count tiers created_at
    updated_at metadata`),
  coupon:
    words(`id object name currency value is_percent exclusive expiration_date max_redemptions duration created_at updated_at
    metadata`),
  tax_rate: words('id object name value is_percent inclusive currency created_at updated_at metadata'),
  gl_account: words('id object code name type created_at updated_at'),
  tax_rule: words('id object tax_rate country state reverse_charge created_at updated_at'),
  late_fee_schedule: words(
    `id object name grace_period_days amount is_percent recurring_days cap currency default created_at updated_at`,
  ),
  chasing_cadence: words(
    `id object name time_of_day frequency run_days paused min_balance assignment_mode assignment_conditions steps created_at updated_at`,
  ),
  custom_field: words('id object name type choices external created_at updated_at'),
  sms_template: words('id object name message language created_at updated_at'),
  pdf_template: words('id object layout paper columns blocks updated_at'),
  theme: words(
    `id object name default accent_color text_color background_color dark_accent_color dark_text_color dark_background_color logo font
    corners footer warnings created_at updated_at`,
  ),
  message_provider: words('id object provider name account_sid sender events_url created_at updated_at'),
  mail_provider: words('id object provider name events_url created_at updated_at'),
  mail_sender: words(
    'id object address domain selector dns_name dns_value state finding checked_at next_check_at created_at updated_at',
  ),
  suppression: words('id object email reason detail suppressed_at created_at updated_at'),
  text_message: words(
    'id object customer phone message state next_attempt attempt_count reference reject_reason created_at updated_at',
  ),
  invoice_chasing_cadence: words('id object name time_of_day paused default steps created_at updated_at'),
  customer:
    words(`id object name number email autopay autopay_delay_days payment_terms payment_source attention_to address1 address2
    city state postal_code country language currency chase chasing_cadence next_chase_step phone credit_hold credit_hold_since credit_hold_by
    credit_hold_reason credit_limit owner
    taxable taxes tax_id taxengine_entity_use_code taxengine_exemption_number type parent_customer notes sign_up_page sign_up_url
    statement_pdf_url portal_url ach_gateway cc_gateway bill_to_parent consolidated active disabled_payment_methods created_at updated_at metadata`),
  line_item:
    words(`id object catalog_item type name description quantity unit_cost amount discountable discounts taxable taxes plan
    metadata`),
  invoice:
    words(`id object customer name number autopay currency draft closed paid status attempt_count next_payment_attempt payment_failure
    subscription date due_date payment_terms purchase_order items notes subtotal total balance discounts taxes ship_to payment_plan
    chasing_cadence url payment_url pdf_url created_at updated_at metadata`),
  estimate:
    words(`id object customer invoice name number currency draft closed approved status date expiration_date payment_terms
    purchase_order items notes subtotal discounts taxes ship_to total deposit deposit_paid url payment_url pdf_url created_at updated_at metadata`),
  credit_note:
    words(`id object customer name number purchase_order currency draft closed paid status date items notes subtotal discounts taxes
    total balance url pdf_url created_at updated_at metadata`),
  subscription:
    words(`id object customer plan amount start_date bill_in bill_in_advance_days quantity addons discounts cycles
    period_start period_end cancel_at_period_end canceled_at status paused contract_period_start contract_period_end
    contract_renewal_cycles contract_renewal_mode taxes ship_to recurring_total mrr url created_at updated_at metadata`),
  subscription_addon: words('id object amount plan quantity description created_at updated_at'),
  payment:
    words(`id object customer date currency amount balance matched voided method ach_sender_id reference source notes charge
    amount_refunded refunds pdf_url created_at updated_at`),
  charge:
    words(`id object customer currency amount gateway gateway_id status receipt_email failure_message payment_source
    amount_refunded refunded refunds disputed created_at updated_at`),
  refund:
    words(`id object customer charge payment credit_balance_adjustment currency amount gateway gateway_id method date reference returned
    status failure_message created_at updated_at`),
  discount: words('id object amount coupon expires'),
  tax: words('id object amount tax_rate updated_at'),
  application: words('id object type amount invoice estimate credit_note document_type'),
  card: words('id object brand last4 exp_month exp_year funding updated_at'),
  bank_account: words('id object bank_name last4 routing_number verified currency updated_at'),
  contact:
    words(`id object name title email phone primary sms_enabled department address1 address2 city state postal_code country
    created_at updated_at`),
  note: words('id object notes customer invoice user created_at updated_at'),
  task: words(`id object name action customer user_id due_date complete completed_date completed_by_user_id chase_step_id
    created_at updated_at`),
  attachment: words('id object file created_at updated_at'),
  email: words('id object email message subject template state opens opens_detail reject_reason created_at updated_at'),
  file: words('id object name size type url created_at updated_at'),
  event: words('id object type timestamp data user'),
  user: words('id created_at email first_name last_name registered two_factor_enabled updated_at'),
} as const;

/** The fields of api.md that are missing from an answer. */
export function missingFields(kind: keyof typeof apiFields, answer: object): string[] {
  return apiFields[kind].filter((name) => !Object.hasOwn(answer, name) || Reflect.get(answer, name) === undefined);
}

function words(text: string): string[] {
  return text.split(/\s+/);
}
