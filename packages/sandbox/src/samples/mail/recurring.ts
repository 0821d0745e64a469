import type { SeededRandom } from '../seeded-random.ts';

/** A sender of recurring messages. */
export interface Recurring {
  name: string;
  from: string;
  /** Days between two messages, and how much that varies. */
  everyDays: number;
  jitterDays: number;
  /** How far back the messages go, days. */
  reachDays: number;
  labelIds: readonly string[];
  /** Names of user labels. */
  labels?: readonly string[];
  listId?: string;
  unreadShare: number;
  subject(random: SeededRandom, date: Date): string;
  text(random: SeededRandom, date: Date): string;
  hasHtml?: boolean;
  /** Whether a bill is attached. */
  hasBill?: boolean;
  /** Whether an invitation is attached. */
  hasInvite?: boolean;
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Newsletters, bills, notifications and other automatic mail. */
export const recurring: readonly Recurring[] = [
  {
    name: 'tidewater',
    from: 'The Tidewater Letter <letter@tidewater.example>',
    everyDays: 7,
    jitterDays: 1,
    reachDays: 420,
    unreadShare: 0.4,
    labelIds: ['INBOX', 'CATEGORY_PROMOTIONS'],
    labels: ['Newsletters'],
    listId: 'letter.tidewater.example',
    hasHtml: true,
    subject: (random) =>
      random.pick([
        'How small teams keep their disks honest',
        'Five queries that look innocent',
        'The quiet year of columnar files',
        'Reading a flame graph over breakfast',
        'Letters from readers: naming things 🏷️',
        'What the tide tables teach about caches',
      ]),
    text: (random) =>
      `Good morning,\n\n${random.pick(['this week we look at backups that were never restored.', 'today: an interview with a librarian who migrated 40 million scans.', 'three short pieces and one long one.'])}\n\nRead on: https://tidewater.example/issues/${random.between(100, 240)}\n\nUnsubscribe at any time.`,
  },
  {
    name: 'ci',
    from: 'Aurora CI <ci@aurora-labs.example>',
    everyDays: 4.5,
    jitterDays: 3,
    reachDays: 400,
    unreadShare: 0.3,
    labelIds: ['INBOX', 'CATEGORY_UPDATES'],
    labels: ['Harbor'],
    listId: 'builds.aurora-labs.example',
    subject: (random) =>
      `${random.pick(['❌ Failed', '✅ Fixed', '❌ Failed', '⚠️ Unstable'])}: ${random.pick(['harbor', 'lantern'])} #${random.between(2100, 4900)} (${random.pick(['main', 'release-2.4', 'nightly'])})`,
    text: (random) =>
      `${random.pick(['retry_test.go: TestLeaseRenewal (12.4s)', 'e2e: upload resumes after a kill', 'lint: 2 findings', 'all 1,842 tests pass again'])}\n\nDuration ${random.between(3, 19)} min\nhttps://ci.aurora-labs.example/builds/${random.between(2100, 4900)}`,
  },
  {
    name: 'code',
    from: 'GitHub (sandbox) <notifications@code.sandbox.example>',
    everyDays: 5,
    jitterDays: 3,
    reachDays: 380,
    unreadShare: 0.25,
    labelIds: ['INBOX', 'CATEGORY_UPDATES'],
    labels: ['Harbor'],
    listId: 'harbor.aurora-labs.code.sandbox.example',
    subject: (random) =>
      `[aurora-labs/harbor] ${random.pick(['Retry on 503 SlowDown with full jitter', 'Resume multipart uploads after a restart', 'Document how leases expire', 'Split the journal out of the worker'])} (#${random.between(200, 364)})`,
    text: (random) =>
      `${random.pick(['mei-tanaka approved this pull request.', 'jonas-weber requested changes: "could the limit be a setting?"', 'samuel-okafor commented: nice, this also explains the spike on Tuesday.', 'priya-raman pushed 2 commits.'])}\n\n--\nYou receive this because your review was requested.`,
  },
  {
    name: 'electricity',
    from: 'Prąd i Światło <faktury@prad.example>',
    everyDays: 30.4,
    jitterDays: 0,
    reachDays: 420,
    unreadShare: 0.1,
    labelIds: ['INBOX', 'CATEGORY_UPDATES'],
    labels: ['Receipts'],
    hasBill: true,
    subject: (_random, date) =>
      `Faktura za ${new Intl.DateTimeFormat('pl', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date)}`,
    text: (random) =>
      `Dzień dobry,\n\nw załączniku faktura na kwotę ${random.between(118, 260)},${random.between(10, 99)} zł. Termin płatności: 14 dni.\n\nPrąd i Światło`,
  },
  {
    name: 'bank',
    from: 'Bank Wiślany <powiadomienia@wislany.example>',
    everyDays: 30.4,
    jitterDays: 0,
    reachDays: 420,
    unreadShare: 0.2,
    labelIds: ['INBOX', 'CATEGORY_UPDATES', 'IMPORTANT'],
    labels: ['Receipts'],
    subject: (_random, date) => `Your statement for ${MONTH.format(date)} is ready`,
    text: () =>
      'Dear customer,\n\nyour statement is in the archive of the bank’s website. We never ask for passwords by mail.\n\nBank Wiślany',
  },
  {
    name: 'shop',
    from: 'Papier & Stift <bestellung@papierstift.example>',
    everyDays: 26,
    jitterDays: 10,
    reachDays: 400,
    unreadShare: 0.1,
    labelIds: ['INBOX', 'CATEGORY_UPDATES'],
    labels: ['Receipts'],
    hasHtml: true,
    subject: (random) => `Deine Bestellung ${random.between(100_200, 100_900)} ist unterwegs 📦`,
    text: (random) =>
      `Hallo Ada,\n\n${random.pick(['zwei Notizbücher A5, liniert', 'Tinte „Nordsee“, 50 ml', 'ein Füllhalter, Feder F'])} – heute verschickt. Ankunft in zwei bis drei Tagen.\n\nDein Team von Papier & Stift`,
  },
  {
    name: 'standup',
    from: 'Lucia Ferrari <lucia@aurora-labs.example>',
    everyDays: 14,
    jitterDays: 0,
    reachDays: 390,
    unreadShare: 0.05,
    labelIds: ['INBOX', 'CATEGORY_PERSONAL', 'IMPORTANT'],
    labels: ['Harbor'],
    hasInvite: true,
    subject: () => 'Invitation: Planning',
    text: (random) =>
      `You are invited to Planning.\n\nAgenda: ${random.pick(['quotas, then the upgrade guide', 'what we learned from the load test', 'hiring, freeze dates', 'who covers the holidays'])}\n`,
  },
  {
    name: 'forum',
    from: 'Object storage forum <digest@os-forum.example>',
    everyDays: 9,
    jitterDays: 2,
    reachDays: 330,
    unreadShare: 0.6,
    labelIds: ['INBOX', 'CATEGORY_FORUMS'],
    labels: ['Newsletters'],
    listId: 'digest.os-forum.example',
    subject: (random) =>
      `Digest: ${random.pick(['Erasure coding at home', 'Who still uses tape?', 'ETags are not checksums', 'Listing 10⁹ keys'])} and ${random.between(3, 12)} more`,
    text: (random) =>
      `${random.between(8, 60)} new posts since your last visit.\n\n* ${random.pick(['"Never trust a rename."', '"We moved 3 PB with rsync and patience."', '"Have you tried fewer prefixes?"'])}\n`,
  },
  {
    name: 'social',
    from: 'Ringpost <no-reply@ringpost.example>',
    everyDays: 12,
    jitterDays: 5,
    reachDays: 360,
    unreadShare: 0.7,
    labelIds: ['INBOX', 'CATEGORY_SOCIAL'],
    hasHtml: true,
    subject: (random) =>
      `${random.pick(['Kasia Wójcik', '佐藤 由紀', 'Noor Haddad', 'Oskar Lindqvist'])} ${random.pick(['posted a photo 📷', 'is in Kraków this week', 'mentioned you', 'has a birthday today 🎉'])}`,
    text: () =>
      'See what is new with the people you know.\n\nYou can choose which of these messages you get.',
  },
  {
    name: 'rail',
    from: 'Koleje Południowe <bilety@kolejepoludniowe.example>',
    everyDays: 45,
    jitterDays: 15,
    reachDays: 410,
    unreadShare: 0,
    labelIds: ['INBOX', 'CATEGORY_UPDATES'],
    labels: ['Travel', 'Receipts'],
    hasBill: true,
    subject: (random) =>
      `Bilet: ${random.pick(['Kraków – Wrocław', 'Kraków – Warszawa', 'Kraków – Zakopane', 'Praha – Kraków'])}`,
    text: () =>
      'Dziękujemy za zakup. Bilet w załączniku; wystarczy pokazać go na telefonie.\n\nSzerokiej drogi!',
  },
  {
    name: 'spam',
    from: 'Lottery Office <winner@prize.invalid>',
    everyDays: 55,
    jitterDays: 20,
    reachDays: 300,
    unreadShare: 1,
    labelIds: ['SPAM'],
    subject: (random) =>
      random.pick([
        'CONGRATULATIONS!!! You have been selected',
        'Re: your invoice (final notice)',
        'Cheap watches, best quality',
      ]),
    text: () => 'Dear friend, kindly reply with your particulars to claim <b>$4,500,000.00</b>.',
  },
];
