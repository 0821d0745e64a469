/** A service with `argv[2]` tickets in pages of 500, by number of the page. Prints its address once it listens on the loopback address. */
import { createServer } from 'node:http';

const COUNT = Number(process.argv[2]);
const PAGE_SIZE = 500;
const BEGUN = Date.UTC(2026, 0, 1);
const STATES = ['open', 'waiting', 'closed'];
const TEXT = 'The parcel has not arrived, and the customer asks where it is. '.repeat(8);

/** Returns a ticket of about 1 KB; a higher number was changed later. */
function ticket(number: number) {
  const at = (minutes: number) => new Date(BEGUN + (number - minutes) * 60_000).toISOString();
  return {
    id: `ticket-${number}`,
    number,
    subject: `Where is parcel ${number}?`,
    state: STATES[number % STATES.length],
    author: { name: `Person ${number % 97}`, mail: `person${number % 97}@example.org` },
    labels: [{ name: `label-${number % 7}` }, { name: `label-${number % 11}` }],
    created: at(300),
    updated: at(0),
    closed: number % 3 === 2 ? at(1) : null,
    minutes: number % 240,
    text: TEXT,
  };
}

const pages = new Map<number, string>();

const server = createServer((request, response) => {
  const page = Number(new URL(request.url ?? '', 'http://service').searchParams.get('page') ?? 1);
  const first = COUNT - (page - 1) * PAGE_SIZE;
  const length = Math.max(0, Math.min(PAGE_SIZE, first));
  const tickets = () => Array.from({ length }, (_, index) => ticket(first - index));
  const body = pages.get(page) ?? JSON.stringify({ tickets: tickets(), total: COUNT });
  pages.set(page, body);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}`);
});
