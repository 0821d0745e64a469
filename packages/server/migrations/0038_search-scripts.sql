-- As before, but words of scripts without spaces, and Korean ones, also end where letters of another script begin: iPhone을 has
-- the word iPhone.
CREATE OR REPLACE FUNCTION search_plain(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(value) = length(value) THEN lower(plain)
    ELSE lower(regexp_replace(regexp_replace(regexp_replace(regexp_replace(plain,
      '[\u00ad\u034f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+', '', 'g'),
      '[\u00a0-\u00bf\u05be\u2000-\u206f\u3000-\u303f\uff00-\uff0f]+', ' ', 'g'),
      '([\u2600-\u27bf\u2b00-\u2bff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U0001f000-\U0001faff])', ' \1 ', 'g'),
      '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\uac00-\ud7af]+)', ' \1 ', 'g')) END
  FROM regexp_replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(value, '<', ' '), '&', ' '), '/', ' '), '\', ' '), '_', ' '), '@', ' '), '=', ' '), '-', ' '), '+', ' '),
    '(?<=\D)\.|\.(?=\D)', ' ', 'g') plain
$$;--> statement-breakpoint
-- Index all records again in the background.
INSERT INTO "search_pending" ("user_id", "connection_id", "entity")
SELECT "user_id", "connection_id", "entity" FROM "record_versions"
WHERE "records" > 0 AND "entity" IN ('gmail-messages', 'imap-messages', 'gh-pulls')
ON CONFLICT ("user_id", "connection_id", "entity") DO UPDATE SET "after" = '';
