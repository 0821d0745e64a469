-- As before, but also separates words at hyphens and dots, except the dots of numbers; each Chinese and Japanese character and
-- each emoji is a word of its own; vowel signs of Arabic and Hebrew and invisible characters are left out.
CREATE OR REPLACE FUNCTION search_plain(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(value) = length(value) THEN lower(plain)
    ELSE lower(regexp_replace(regexp_replace(regexp_replace(plain,
      '[\u00ad\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+', '', 'g'),
      '[\u00a0-\u00bf\u05be\u2000-\u206f\u3000-\u303f\uff00-\uff0f]+', ' ', 'g'),
      '([\u2600-\u27bf\u2b00-\u2bff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U0001f000-\U0001faff])', ' \1 ', 'g')) END
  FROM regexp_replace(replace(replace(replace(replace(replace(replace(replace(value, '/', ' '), '\', ' '), '_', ' '), '@', ' '), '=', ' '), '-', ' '), '+', ' '),
    '(?<=\D)\.|\.(?=\D)', ' ', 'g') plain
$$;--> statement-breakpoint
-- The text of HTML, as far as its words are concerned: without tags, styles and scripts; accented letters without accents. Each
-- alternative takes linear time, also for tags that do not end.
CREATE FUNCTION search_html(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(replace(regexp_replace(value, '<(style|script)[^<]*|<[a-z/!?][^<>]*>?', ' ', 'gi'), '&szlig;', 'ss'),
    '&([a-z])(uml|acute|grave|circ|tilde|cedil|ring|slash|caron);', '\1', 'gi'), '&#?[a-z0-9]{1,31};', ' ', 'gi')
$$;--> statement-breakpoint
-- As before, but without the single characters of a value of which pairs are found.
CREATE OR REPLACE FUNCTION search_words_query(value text, is_prefix boolean) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT search_all(found) FROM (
    SELECT (SELECT search_any(same) FROM (
      SELECT search_lexeme(word, is_prefix) AS same
      UNION ALL
      SELECT search_lexeme('~' || word, false)
      UNION ALL
      SELECT search_lexeme(mark || stem, false)
      FROM unnest('{english_stem,german_stem,french_stem,spanish_stem,italian_stem,portuguese_stem,dutch_stem,swedish_stem,danish_stem,norwegian_stem,finnish_stem,hungarian_stem,romanian_stem,turkish_stem,russian_stem}'::regdictionary[]) stemmer,
        unnest(ts_lexize(stemmer, word)) stem, unnest('{"",~}'::text[]) mark
      WHERE stem <> word AND length(stem) > 1
      GROUP BY mark, stem) forms) AS found
    FROM unnest(tsvector_to_array(to_tsvector('search_words', search_plain(value)))) word
    WHERE cardinality(search_pairs(word)) = 0
      AND NOT (word ~ '^[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]$' AND cardinality(search_pairs(value)) > 0)
    UNION ALL
    SELECT search_lexeme(pair, false) FROM unnest(search_pairs(value)) pair
  ) words
$$;--> statement-breakpoint
-- As before, but of a phrase with pairs also finds the other words.
CREATE OR REPLACE FUNCTION search_phrase_query(value text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN numnode(phrase) > 0 THEN phrase END FROM (
    SELECT CASE WHEN cardinality(search_pairs(value)) = 0 THEN phraseto_tsquery('search_words', search_plain(value))
      ELSE search_words_query(value, false) END AS phrase) found
$$;--> statement-breakpoint
-- Index all records again in the background: their words are separated at other places than before.
INSERT INTO "search_pending" ("user_id", "connection_id", "entity")
SELECT "user_id", "connection_id", "entity" FROM "record_versions"
WHERE "records" > 0 AND "entity" IN ('gmail-messages', 'imap-messages', 'gh-pulls')
ON CONFLICT ("user_id", "connection_id", "entity") DO UPDATE SET "after" = '';
