create table "named_email_template" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "kind" varchar(64) not null, "name" varchar(255) null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "named_email_template" is 'A further email template of a kind, which sends and steps of cadences name; its wordings are versions';
alter table "named_email_template" add constraint "named_email_template_code" unique ("account_id", "code");

create table "named_pdf_template" ("account_id" int not null, "id" serial not null, "code" varchar(64) not null, "name" varchar(255) not null, "kind" varchar(16) not null, "layout" varchar(16) not null, "paper" varchar(8) null, "columns" text[] not null, "blocks" text[] not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "named_pdf_template" is 'A further look of the PDFs of one kind of paper, which customers name';
alter table "named_pdf_template" add constraint "named_pdf_template_code" unique ("account_id", "code");

alter table "email" add "kind" varchar(64) null;

alter table "customer" add "pdf_templates" text[] not null default '{}';

alter table "named_pdf_template" add constraint "named_pdf_template_known" check (kind in ('invoice', 'estimate', 'credit_note', 'receipt', 'statement'));
alter table "named_pdf_template" add constraint "named_pdf_template_layout" check (layout in ('classic', 'modern', 'compact'));
alter table "named_pdf_template" add constraint "named_pdf_template_paper" check (paper in ('a4', 'letter'));
alter table "named_email_template" enable row level security;
create policy "tenant" on "named_email_template" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "named_email_template" to "perennial_system" using (true);
alter table "named_pdf_template" enable row level security;
create policy "tenant" on "named_pdf_template" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "named_pdf_template" to "perennial_system" using (true);
