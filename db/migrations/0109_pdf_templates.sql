create table "pdf_template" ("account_id" int not null, "id" serial not null, "kind" varchar(16) not null, "layout" varchar(16) not null, "paper" varchar(8) null, "columns" text[] not null, "blocks" text[] not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("account_id", "id"));
comment on table "pdf_template" is 'Look of the PDFs of one kind of paper; without a row the default applies';
alter table "pdf_template" add constraint "pdf_template_kind" unique ("account_id", "kind");

alter table "pdf_template" add constraint "pdf_template_known" check (kind in ('invoice', 'estimate', 'credit_note', 'receipt', 'statement'));
alter table "pdf_template" add constraint "pdf_template_layout" check (layout in ('classic', 'modern', 'compact'));
alter table "pdf_template" add constraint "pdf_template_paper" check (paper in ('a4', 'letter'));
alter table "pdf_template" enable row level security;
create policy "tenant" on "pdf_template" using ((account_id = (nullif(current_setting('app.account_id'::text, true), ''::text))::integer));
create policy "system" on "pdf_template" to "perennial_system" using (true);
