-- The first of some words whose bytes together are at most a number. A tsvector holds at most 1 MB of words.
CREATE FUNCTION search_within(words text[], bytes integer) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(array_to_string(words, '')) <= bytes THEN words ELSE (
    SELECT coalesce(array_agg(word ORDER BY position), '{}') FROM (
      SELECT word, position, sum(octet_length(word)) OVER (ORDER BY position) AS used
      FROM unnest(words) WITH ORDINALITY listed(word, position)) counted
    WHERE used <= bytes) END
$$;--> statement-breakpoint
-- As before, but at most 860,000 bytes. A character makes at most 8 bytes of words with their positions, so the texts have at
-- most 796,288; stems and then pairs get what they leave. The rest of 1 MB is for the words of operators.
CREATE OR REPLACE FUNCTION search_terms(a text, b text, c text, d text) RETURNS tsvector LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  words tsvector := setweight(to_tsvector('search_words', coalesce(search_plain(left(a, 2000)), '')), 'A')
    || setweight(to_tsvector('search_words', coalesce(search_plain(left(b, 20000)), '')), 'B')
    || setweight(to_tsvector('search_words', coalesce(search_plain(left(c, 12000)), '')), 'C')
    || to_tsvector('search_words', coalesce(search_plain(left(d, 65536)), ''));
  stems tsvector := search_stems(words);
  room integer := 860000 - pg_column_size(words);
BEGIN
  IF pg_column_size(stems) <= room THEN
    words := words || stems;
    room := room - pg_column_size(stems);
  END IF;
  -- A pair has at most 6 bytes.
  RETURN words || array_to_tsvector(search_pairs(left(concat_ws(' ', a, b, c, d), greatest(room, 0) / 6)));
END $$;--> statement-breakpoint
-- As before, but of a bounded text.
CREATE OR REPLACE FUNCTION search_field_words(operator text, value text) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(operator || ':' || word), '{}')
  FROM unnest(tsvector_to_array(to_tsvector('search_words', translate(search_plain(left(value, 20000)), '.+-', '   ')))) word
  WHERE length(word) <= 100
$$;--> statement-breakpoint
-- As before, but also bounded after accents became letters: a word has at most 2,046 bytes.
CREATE OR REPLACE FUNCTION search_names(operator text, names text[]) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT operator || ':' || left(lower(unaccent(left(name, 200))), 200)), '{}')
  FROM unnest(names) name WHERE name <> ''
$$;
