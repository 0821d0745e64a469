import { pdfFile, pictureFile } from './attachments.ts';
import type { Conversation } from './conversation.ts';

/** Conversations with family and friends. */
export const privateConversations: readonly Conversation[] = [
  {
    subject: 'Niedziela u nas?',
    daysAgo: 1,
    labels: ['Family'],
    turns: [
      [
        'mama',
        'Córeczko, przyjedziecie w niedzielę na obiad? Będą pierogi z kapustą i grzybami. Tata pyta, czy weźmiesz wiertarkę.\n\nMama',
      ],
      ['me', 'Przyjedziemy! Około pierwszej, z wiertarką i z ciastem 🥧'],
      ['mama', 'Cudownie. Ciasta nie trzeba, ale jak już musisz – to sernik.'],
    ],
  },
  {
    subject: 'Bilety w góry ⛰️',
    daysAgo: 13,
    labels: ['Travel', 'Family'],
    starred: true,
    turns: [
      [
        'kasia',
        'Mam bilety na piątek 16:40, wracamy w niedzielę wieczorem. Schronisko potwierdziło cztery łóżka.\n\nKasia',
      ],
      ['me', 'Super! Oddaję pieniądze jutro. Kto bierze mapę?'],
      ['kasia', 'Ja mapę, ty termos. Prognoza: słońce ☀️ i wiatr.'],
      ['me', 'Umowa stoi.'],
    ],
    attachments: [pdfFile('bilety.pdf', ['Bilet 2 os.', 'Krakow Gl. - Zakopane', 'pt 16:40'])],
  },
  {
    subject: 'صور من بيروت',
    daysAgo: 22,
    turns: [
      [
        'noor',
        'مرحبا آدا،\n\nأرسل لك الصور من رحلتنا إلى بيروت. كان الطقس رائعاً والطعام أروع 😋\nمتى تزوريننا؟\n\nنور',
      ],
      ['me', 'Noor, these are wonderful! The one by the sea goes on my wall. In spring, I promise.'],
      ['noor', 'إن شاء الله! سنحجز لك الغرفة المطلة على البحر.'],
    ],
    attachments: [pictureFile('بيروت.png', [240, 180, 120]), pictureFile('corniche.png', [90, 160, 230])],
  },
  {
    subject: 'שאלה על המתכון',
    daysAgo: 47,
    turns: [
      ['avi', 'היי עדה,\n\nאת זוכרת כמה סוכר שמנו בעוגת הדבש? אני כותב את זה סוף סוף.\n\nאבי'],
      ['me', '200 g, and a spoon of coffee. Send me the book when it is done!'],
    ],
  },
  {
    subject: 'Exposition à Lyon',
    daysAgo: 53,
    labels: ['Travel'],
    turns: [
      [
        'anais',
        'Chère Ada,\n\nle vernissage a lieu le 14 à 18 h. Je t’ai mis une invitation de côté ; tu peux dormir à la maison, bien sûr.\n\nBises\nAnaïs',
      ],
      ['me', 'Chère Anaïs, je viens ! Train de 13 h, j’apporte le fromage (polonais, tu verras).'],
      ['anais', 'Parfait 🧀 À très vite !'],
    ],
  },
  {
    subject: 'Nebenkostenabrechnung',
    daysAgo: 75,
    labels: ['Receipts'],
    isLatin: true,
    turns: [
      [
        'landlord',
        'Sehr geehrte Frau Nowak,\n\nanbei erhalten Sie die Abrechnung für das vergangene Jahr. Das Guthaben von 84,20 überweisen wir bis zum Monatsende.\n\nMit freundlichen Grüßen\nHausverwaltung Krüger',
      ],
      [
        'me',
        'Sehr geehrter Herr Krüger,\n\nvielen Dank. Die Heizung im Flur rauscht übrigens weiterhin.\n\nA. Nowak',
      ],
    ],
    attachments: [pdfFile('Abrechnung.pdf', ['Nebenkosten', 'Guthaben 84,20 EUR'])],
  },
  {
    subject: 'Zebranie rodziców',
    daysAgo: 83,
    labels: ['Family'],
    turns: [
      [
        'school',
        'Szanowni Państwo,\n\nzapraszamy na zebranie w czwartek o 17:30 w sali 8. Prosimy o potwierdzenie obecności.\n\nSekretariat',
      ],
      ['me', 'Potwierdzam obecność. Ada Nowak'],
    ],
  },
  {
    subject: 'Senior role, fully remote?',
    daysAgo: 88,
    turns: [
      [
        'recruiter',
        'Hi Ada,\n\nyour talk on leases made the rounds here. I am looking for a storage lead for a client in Utrecht, fully remote. Worth a call?\n\nPhilippa',
      ],
      ['me', 'Hi Philippa, thank you, but I am happy where I am. Try Samuel in a year.\n\nAda'],
    ],
  },
  {
    subject: 'Book club: next one',
    daysAgo: 110,
    turns: [
      ['mei', 'I vote for the one about lighthouses. 320 pages, no spaceships.'],
      ['kasia', 'Lighthouses 👍'],
      ['me', 'I wanted spaceships, but fine. First Sunday of the month?'],
      ['mei', 'First Sunday. My place, I make gyoza.'],
    ],
  },
  {
    subject: 'Urodziny taty 🎂',
    daysAgo: 140,
    labels: ['Family'],
    turns: [
      ['mama', 'Zbieramy się na prezent. Myślę o dobrej lornetce, żeby ptaki mógł oglądać. Co ty na to?'],
      ['me', 'Lornetka to świetny pomysł. Dokładam 300 zł i robię tort.'],
      ['kasia', 'Ja dokładam 200 i przywożę balony 🎈🎈'],
    ],
  },
  {
    subject: 'Flat keys',
    daysAgo: 190,
    turns: [
      ['samuel', 'I have your keys, they were on the coffee machine. Again.'],
      ['me', 'I owe you a lunch. Again.'],
    ],
  },
  {
    subject: 'Running on Saturday?',
    daysAgo: 248,
    turns: [
      ['jonas', '8 km along the river, slow, 9 o’clock?'],
      ['me', 'Slow as in your slow or my slow?'],
      ['jonas', 'Your slow. I ate too much.'],
    ],
  },
  {
    subject: 'Wakacje: domek nad jeziorem',
    daysAgo: 320,
    labels: ['Travel', 'Family'],
    turns: [
      ['kasia', 'Domek jest wolny od 12 do 19 lipca. 6 osób, łódka w cenie. Bierzemy?'],
      ['me', 'Bierzemy! Zaliczka do piątku, tak?'],
      ['kasia', 'Tak, 400 zł. Umowa w załączniku.'],
    ],
    attachments: [pdfFile('umowa-domek.pdf', ['Umowa najmu', '12-19 lipca', '6 osob'])],
  },
];
