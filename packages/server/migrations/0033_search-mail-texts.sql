-- As before, but also without joiners and other characters without width, which separated words, and without the
-- beginnings of what PostgreSQL's parser takes for tags and entities: <word> and &word; are words.
CREATE OR REPLACE FUNCTION search_plain(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(value) = length(value) THEN lower(plain)
    ELSE lower(regexp_replace(regexp_replace(regexp_replace(plain,
      '[\u00ad\u034f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+', '', 'g'),
      '[\u00a0-\u00bf\u05be\u2000-\u206f\u3000-\u303f\uff00-\uff0f]+', ' ', 'g'),
      '([\u2600-\u27bf\u2b00-\u2bff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U0001f000-\U0001faff])', ' \1 ', 'g')) END
  FROM regexp_replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(value, '<', ' '), '&', ' '), '/', ' '), '\', ' '), '_', ' '), '@', ' '), '=', ' '), '-', ' '), '+', ' '),
    '(?<=\D)\.|\.(?=\D)', ' ', 'g') plain
$$;--> statement-breakpoint
-- As before, but also pairs of characters with one without width between them.
CREATE OR REPLACE FUNCTION search_pairs(value text) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]' THEN (
    SELECT coalesce(array_agg(DISTINCT letter || next), '{}') FROM (
      SELECT letter, lead(letter) OVER (ORDER BY position) AS next
      FROM string_to_table(regexp_replace(regexp_replace(value, '[\u00ad\u034f\u180e\u200b-\u200f\u2060\ufeff]+', '', 'g'), '[^\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]+', ' ', 'g'), NULL)
        WITH ORDINALITY letters(letter, position)) pairs
    WHERE letter <> ' ' AND next <> ' '
  ) ELSE '{}' END
$$;--> statement-breakpoint
-- The text of HTML is a column of mails now.
DROP FUNCTION search_html(text);--> statement-breakpoint
-- Index all records again in the background: their words are separated at other places than before.
INSERT INTO "search_pending" ("user_id", "connection_id", "entity")
SELECT "user_id", "connection_id", "entity" FROM "record_versions"
WHERE "records" > 0 AND "entity" IN ('gmail-messages', 'imap-messages', 'gh-pulls')
ON CONFLICT ("user_id", "connection_id", "entity") DO UPDATE SET "after" = '';
