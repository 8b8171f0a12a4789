-- A bank's reference made comparable: banks print one with and without spaces, in either case. The same as
-- normaliseReference of domain/bank-reference.ts, which a test holds it to; the characters are those that are white
-- space there. Its body is read when it is made, so that it means the same whatever the search path.
create function bank_reference_key(p_reference text) returns text
language sql immutable strict parallel safe
return upper(translate(normalize(p_reference, nfkc),
  E'\t\n\u000B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF',
  '') collate "pg_unicode_fast");
