-- As in 0006, where each part was put in by a search through the whole text: with the parts of users besides those of
-- repositories a document took twice as long.
CREATE OR REPLACE FUNCTION "whole_document"(owner uuid, connection uuid, of_entity text, stored text, hashes text[]) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
	pieces text[] := string_to_array(stored, chr(1));
	texts text[] := hashes;
	whole text := pieces[1];
	part text;
BEGIN
	FOR place IN 1 .. cardinality(hashes) LOOP
		SELECT p.text INTO STRICT part FROM record_parts p
		WHERE p.user_id = owner AND p.connection_id = connection AND p.entity = of_entity AND p.hash = hashes[place];
		texts[place] := part;
	END LOOP;
	-- Each piece but the first begins with the letter of its mark.
	FOR place IN 2 .. cardinality(pieces) LOOP
		whole := whole || texts[ascii(pieces[place]) - 64] || right(pieces[place], -1);
	END LOOP;
	RETURN whole;
END
$$;
