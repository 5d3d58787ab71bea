create index "customer_by_pdf_template" on "customer" (account_id, id) where pdf_templates <> '{}';
