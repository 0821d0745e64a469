-- Words of a record hardly compress: without an attempt, a record is stored sooner.
ALTER TABLE "search_entries" ALTER COLUMN "terms" SET STORAGE EXTERNAL;--> statement-breakpoint
-- As before, but counts the frequent words of a language among the few frequent words of the text.
CREATE OR REPLACE FUNCTION search_stemmer(words tsvector) RETURNS regdictionary LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT stemmer FROM (
    SELECT ts_filter(setweight(setweight(words, 'D'), 'A',
      '{the,and,of,to,is,that,for,you,with,this,have,are,der,die,und,das,ist,nicht,sie,mit,ein,auf,fur,wir,le,les,des,et,est,que,dans,pour,une,vous,pas,sur,el,los,las,del,una,por,para,con,como,esta,pero,il,che,di,della,per,sono,non,questo,gli,anche,nao,uma,com,os,dos,voce,mais,sao,pelo,ao,de,het,een,van,niet,voor,zijn,met,dat,wij,ook,naar,och,att,det,som,inte,pa,av,ar,med,jag,ett,den,og,ikke,til,jeg,af,er,har,vi,kan,ja,on,ei,etta,se,mutta,kun,han,tai,olen,joka,ovat,az,es,hogy,nem,egy,meg,csak,ez,volt,vagy,mint,si,nu,este,din,pentru,care,mai,sunt,cu,pe,fost,dar,ve,bir,bu,icin,ile,da,cok,olarak,daha,ama,gibi,и,в,не,на,что,с,по,как,это,для,вы,мы}'), '{a}') AS known OFFSET 0
  ) frequent_words, (VALUES
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
  CROSS JOIN LATERAL (SELECT length(known) - length(ts_delete(known, frequent)) AS found) c
  WHERE found > 2 ORDER BY found DESC, stemmer LIMIT 1
$$;--> statement-breakpoint
-- As before, but texts of ASCII without a regular expression.
CREATE OR REPLACE FUNCTION search_pairs(value text) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(value) > length(value) AND value ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]' THEN (
    SELECT coalesce(array_agg(DISTINCT letter || next), '{}') FROM (
      SELECT letter, lead(letter) OVER (ORDER BY position) AS next
      FROM string_to_table(regexp_replace(value, '[^\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]+', ' ', 'g'), NULL)
        WITH ORDINALITY letters(letter, position)) pairs
    WHERE letter <> ' ' AND next <> ' '
  ) ELSE '{}' END
$$;
