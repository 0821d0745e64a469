CREATE EXTENSION IF NOT EXISTS unaccent;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "search_entries" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"id" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"person" text NOT NULL,
	"labels" text[] NOT NULL,
	"parts" text NOT NULL,
	"terms" "tsvector" NOT NULL,
	CONSTRAINT "search_entries_user_id_connection_id_entity_id_pk" PRIMARY KEY("user_id","connection_id","entity","id")
);
--> statement-breakpoint
CREATE TABLE "search_pending" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"after" text DEFAULT '' NOT NULL,
	CONSTRAINT "search_pending_user_id_connection_id_entity_pk" PRIMARY KEY("user_id","connection_id","entity")
);
--> statement-breakpoint
CREATE TABLE "search_values" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"operator" text NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "search_values_user_id_connection_id_entity_operator_value_pk" PRIMARY KEY("user_id","connection_id","entity","operator","value")
);
--> statement-breakpoint
CREATE INDEX "search_entries_terms" ON "search_entries" USING gin ("terms");--> statement-breakpoint
CREATE INDEX "search_entries_parts" ON "search_entries" USING gin ("parts" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "search_entries_newest" ON "search_entries" USING btree ("user_id","occurred_at");--> statement-breakpoint
CREATE INDEX "search_values_similar" ON "search_values" USING gin ("value" gin_trgm_ops);--> statement-breakpoint
-- Words without accents, in lower case, not stemmed.
CREATE TEXT SEARCH CONFIGURATION search_words (COPY = pg_catalog.simple);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION search_words ALTER MAPPING FOR hword, hword_part, word WITH unaccent, simple;--> statement-breakpoint
-- Separates words where the parser would not: in paths and addresses, and at punctuation that it takes for letters.
CREATE FUNCTION search_plain(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT lower(regexp_replace(translate(value, '/\_@=', '     '), '[\u00a0-\u00bf\u2000-\u206f\u3000-\u303f\uff00-\uff0f]+', ' ', 'g'))
$$;--> statement-breakpoint
-- The stemmer of the language whose most frequent words a text has; null when it has fewer than three of them.
CREATE FUNCTION search_stemmer(words tsvector) RETURNS regdictionary LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT stemmer FROM (VALUES
    ('pg_catalog.english_stem'::regdictionary, '{the,and,of,to,is,that,for,you,with,this,have,are}'::tsquery[]),
    ('pg_catalog.german_stem', '{der,die,und,das,ist,nicht,sie,mit,ein,auf,fur,wir}'),
    ('pg_catalog.french_stem', '{le,les,des,et,est,que,dans,pour,une,vous,pas,sur}'),
    ('pg_catalog.spanish_stem', '{el,los,las,que,del,una,por,para,con,como,esta,pero}'),
    ('pg_catalog.italian_stem', '{il,che,di,della,per,una,sono,non,con,questo,gli,anche}'),
    ('pg_catalog.portuguese_stem', '{que,nao,uma,para,com,os,dos,voce,mais,sao,pelo,ao}'),
    ('pg_catalog.dutch_stem', '{de,het,een,van,niet,voor,zijn,met,dat,wij,ook,naar}'),
    ('pg_catalog.swedish_stem', '{och,att,det,som,inte,pa,av,ar,med,jag,ett,den}'),
    ('pg_catalog.danish_stem', '{og,det,ikke,til,som,jeg,af,er,med,har,vi,kan}'),
    ('pg_catalog.norwegian_stem', '{og,det,ikke,til,som,jeg,av,er,med,har,vi,pa}'),
    ('pg_catalog.finnish_stem', '{ja,on,ei,etta,se,mutta,kun,han,tai,olen,joka,ovat}'),
    ('pg_catalog.hungarian_stem', '{az,es,hogy,nem,egy,meg,csak,ez,van,volt,vagy,mint}'),
    ('pg_catalog.romanian_stem', '{si,nu,este,din,pentru,care,mai,sunt,cu,pe,fost,dar}'),
    ('pg_catalog.turkish_stem', '{ve,bir,bu,icin,ile,da,de,cok,olarak,daha,ama,gibi}'),
    ('pg_catalog.russian_stem', '{и,в,не,на,что,с,по,как,это,для,вы,мы}')
  ) language(stemmer, frequent)
  CROSS JOIN LATERAL (SELECT count(*) AS found FROM unnest(frequent) word WHERE words @@ word) c
  WHERE found > 2 ORDER BY found DESC, stemmer LIMIT 1
$$;--> statement-breakpoint
-- The stems of words that differ from the word, marked by ~ to keep them apart from words.
CREATE FUNCTION search_stems(words tsvector) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(coalesce(array_agg(DISTINCT '~' || stem), '{}'))
  FROM search_stemmer(words) stemmer, unnest(tsvector_to_array(words)) word, unnest(ts_lexize(stemmer, word)) stem
  WHERE length(word) BETWEEN 3 AND 40 AND stem <> word AND stem <> ''
$$;--> statement-breakpoint
-- Pairs of neighbouring characters of scripts without spaces: Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer.
CREATE FUNCTION search_pairs(value text) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]' THEN (
    SELECT coalesce(array_agg(DISTINCT pair), '{}') FROM (
      SELECT letter || lead(letter) OVER (ORDER BY position) AS pair
      FROM regexp_split_to_table(value, '') WITH ORDINALITY letters(letter, position)) pairs
    WHERE pair ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]{2}$'
  ) ELSE '{}' END
$$;--> statement-breakpoint
-- All words of a record, by weight.
CREATE FUNCTION search_terms(a text, b text, c text, d text) RETURNS tsvector LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  words tsvector := setweight(to_tsvector('search_words', coalesce(search_plain(a), '')), 'A')
    || setweight(to_tsvector('search_words', coalesce(search_plain(b), '')), 'B')
    || setweight(to_tsvector('search_words', coalesce(search_plain(c), '')), 'C')
    || to_tsvector('search_words', coalesce(search_plain(d), ''));
BEGIN
  RETURN words || search_stems(words) || array_to_tsvector(search_pairs(concat_ws(' ', a, b, c, d)));
END $$;--> statement-breakpoint
-- The words of one field, each with its operator: from:amy.
CREATE FUNCTION search_field_words(operator text, value text) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(operator || ':' || word), '{}')
  FROM unnest(tsvector_to_array(to_tsvector('search_words', translate(search_plain(value), '.+-', '   ')))) word
  WHERE length(word) <= 100
$$;--> statement-breakpoint
-- Whole names, each with its operator: label:inbox.
CREATE FUNCTION search_names(operator text, names text[]) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT operator || ':' || lower(unaccent(left(name, 200)))), '{}')
  FROM unnest(names) name WHERE name <> ''
$$;--> statement-breakpoint
-- Names and addresses of a list of people, or of one.
CREATE FUNCTION search_people(people json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE json_typeof(people)
    WHEN 'object' THEN concat_ws(' ', left(people->>'name', 200), left(people->>'address', 200))
    WHEN 'array' THEN (
      SELECT string_agg(concat_ws(' ', left(person->>'name', 200), left(person->>'address', 200)), ' ')
      FROM (SELECT person FROM json_array_elements(people) person LIMIT 200) first)
  END
$$;--> statement-breakpoint
-- One field of each object of a list.
CREATE FUNCTION search_field(list json, field text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE json_typeof(list) WHEN 'array' THEN (
    SELECT string_agg(left(item->>field, 200), ' ')
    FROM (SELECT item FROM json_array_elements(list) item LIMIT 200) first)
  END
$$;--> statement-breakpoint
-- A word as a query, whatever characters it has.
CREATE FUNCTION search_lexeme(word text, is_prefix boolean) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''' || CASE WHEN is_prefix THEN ':*' ELSE '' END)::tsquery
$$;--> statement-breakpoint
CREATE AGGREGATE search_all(tsquery) (SFUNC = tsquery_and, STYPE = tsquery, PARALLEL = SAFE);--> statement-breakpoint
CREATE AGGREGATE search_any(tsquery) (SFUNC = tsquery_or, STYPE = tsquery, PARALLEL = SAFE);--> statement-breakpoint
-- Finds all words of a value, also by their stems in any language; null for a value without words.
CREATE FUNCTION search_words_query(value text, is_prefix boolean) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT search_all(found) FROM (
    SELECT (SELECT search_any(same) FROM (
      SELECT search_lexeme(word, is_prefix) AS same
      UNION ALL
      SELECT search_lexeme(mark || stem, false)
      FROM unnest('{english_stem,german_stem,french_stem,spanish_stem,italian_stem,portuguese_stem,dutch_stem,swedish_stem,danish_stem,norwegian_stem,finnish_stem,hungarian_stem,romanian_stem,turkish_stem,russian_stem}'::regdictionary[]) stemmer,
        unnest(ts_lexize(stemmer, word)) stem, unnest('{"",~}'::text[]) mark
      WHERE stem <> word AND length(stem) > 1
      GROUP BY mark, stem) forms) AS found
    FROM unnest(tsvector_to_array(to_tsvector('search_words', search_plain(value)))) word
    WHERE cardinality(search_pairs(word)) = 0
    UNION ALL
    SELECT search_lexeme(pair, false) FROM unnest(search_pairs(value)) pair
  ) words
$$;--> statement-breakpoint
-- Finds words that follow each other; null for a value without words.
CREATE FUNCTION search_phrase_query(value text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN numnode(phrase) > 0 THEN phrase END FROM (
    SELECT CASE WHEN cardinality(search_pairs(value)) = 0 THEN phraseto_tsquery('search_words', search_plain(value))
      ELSE (SELECT search_all(search_lexeme(pair, false)) FROM unnest(search_pairs(value)) pair) END AS phrase) found
$$;--> statement-breakpoint
-- Finds all words of a value in one field, each also as the beginning of a longer word; null for a value without words.
CREATE FUNCTION search_field_query(operator text, value text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT search_all(search_lexeme(word, true)) FROM unnest(search_field_words(operator, value)) word
$$;
