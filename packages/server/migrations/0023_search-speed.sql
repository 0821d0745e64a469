DROP INDEX "search_values_similar";--> statement-breakpoint
ALTER TABLE "search_values" DROP CONSTRAINT "search_values_user_id_connection_id_entity_operator_value_pk";--> statement-breakpoint
CREATE INDEX "search_values_key" ON "search_values" USING btree ("user_id","connection_id","entity","operator","value");--> statement-breakpoint
-- As before, but texts of ASCII without a regular expression.
CREATE OR REPLACE FUNCTION search_plain(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(value) = length(value) THEN lower(plain)
    ELSE lower(regexp_replace(plain, '[\u00a0-\u00bf\u2000-\u206f\u3000-\u303f\uff00-\uff0f]+', ' ', 'g')) END
  FROM replace(replace(replace(replace(replace(value, '/', ' '), '\', ' '), '_', ' '), '@', ' '), '=', ' ') plain
$$;--> statement-breakpoint
-- As before, but counts the frequent words of a language with one call.
CREATE OR REPLACE FUNCTION search_stemmer(words tsvector) RETURNS regdictionary LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT stemmer FROM (VALUES
    ('pg_catalog.english_stem'::regdictionary, '{the,and,of,to,is,that,for,you,with,this,have,are}'::text[]),
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
  CROSS JOIN LATERAL (SELECT length(words) - length(ts_delete(words, frequent)) AS found) c
  WHERE found > 2 ORDER BY found DESC, stemmer LIMIT 1
$$;--> statement-breakpoint
-- As before, but without a join for each word.
CREATE OR REPLACE FUNCTION search_stems(words tsvector) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(coalesce(array_agg('~' || stem), '{}')) FROM (
    SELECT word, (ts_lexize(stemmer, word))[1] AS stem FROM search_stemmer(words) stemmer, unnest(tsvector_to_array(words)) word
    WHERE length(word) BETWEEN 3 AND 40 OFFSET 0) stems
  WHERE stem <> word AND stem <> ''
$$;--> statement-breakpoint
-- As before, but looks only at the characters of these scripts.
CREATE OR REPLACE FUNCTION search_pairs(value text) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]' THEN (
    SELECT coalesce(array_agg(DISTINCT letter || next), '{}') FROM (
      SELECT letter, lead(letter) OVER (ORDER BY position) AS next
      FROM string_to_table(regexp_replace(value, '[^\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]+', ' ', 'g'), NULL)
        WITH ORDINALITY letters(letter, position)) pairs
    WHERE letter <> ' ' AND next <> ' '
  ) ELSE '{}' END
$$;--> statement-breakpoint
-- As before, but a word that is its own stem also finds its other forms: server finds servers.
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
    UNION ALL
    SELECT search_lexeme(pair, false) FROM unnest(search_pairs(value)) pair
  ) words
$$;
