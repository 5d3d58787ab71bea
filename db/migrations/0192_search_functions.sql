create schema if not exists routine;
create function routine.search_text(input text) returns text language plpgsql immutable strict parallel safe as $$
declare
  small text;
  spelled text;
  plain text;
  letters constant text := 'äöüéèáàóíñçøåêâôîłąęšžčř';
  folded constant text := 'aoueeaaoincoaeaoilaeszcr';
begin
  if octet_length(input) = length(input) then return lower(input); end if;
  small := lower(input);
  plain := translate(small, letters, folded);
  if octet_length(plain) = length(plain) then
    if translate(small, 'äöüøå', '') = small then return plain; end if;
    spelled := replace(replace(replace(replace(replace(small, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa');
    return plain || ' ' || translate(spelled, letters, folded);
  end if;
  small := lower(normalize(input, NFC));
  spelled := replace(replace(replace(replace(small, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ß', 'ss');
  spelled := replace(replace(replace(spelled, 'ø', 'oe'), 'å', 'aa'), 'æ', 'ae');
  if spelled <> small then small := small || ' ' || spelled; end if;
  small := lower(regexp_replace(normalize(small, NFKD), '[\u0300-\u036f]', '', 'g'));
  return translate(replace(replace(replace(small, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđıς‘’‚“”„‐‑‒–—', 'oldiσ''''''"""-----');
end; $$;
create function routine.search_keys(account int, kind text, input text) returns tsvector language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  found text := routine.search_text(input);
  key constant text := ' ' || account || kind || ':';
  apart constant text := '\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u1680\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u303f\u30fb\ufeff';
begin
  if octet_length(found) > 500 then
    found := regexp_replace(found, '([^' || apart || ']{50})[^' || apart || ']+', '\1', 'g');
  end if;
  return array_to_tsvector(string_to_array(ltrim(key || regexp_replace(found, '[' || apart || ']+', key, 'g')), ' '));
end; $$;
