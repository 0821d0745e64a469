/** Schema of the views, and the only one in which a SQL role may read. */
export const SQL_SCHEMA = 'datadeck_sql';
