alter table "document_pdf" add column "xml" text null;
