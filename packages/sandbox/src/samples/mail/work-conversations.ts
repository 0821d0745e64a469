import { csvFile, pdfFile, pictureFile } from './attachments.ts';
import type { Conversation } from './conversation.ts';

/** Conversations about work. */
export const workConversations: readonly Conversation[] = [
  {
    subject: 'Harbor 2.5: what is left before the freeze',
    daysAgo: 2,
    labels: ['Harbor'],
    important: true,
    starred: true,
    cc: 'lucia',
    turns: [
      [
        'jonas',
        'Hi Ada,\n\nI went through the milestone this morning. Three things are open: the quota screen, the docs for leases, and the flaky retry test.\n\nCan you take the docs? I would rather not touch the scheduler two days before the freeze.\n\nJonas',
      ],
      [
        'me',
        'Docs are mine, you get them tomorrow. The flaky test is a real bug by the way: we renew a lease that we no longer hold. Patch is up as #361.\n\nAda',
      ],
      [
        'jonas',
        'Ouch. Good catch, reviewing now. Then let us move the freeze to Thursday and keep the release on Monday.',
      ],
      ['lucia', 'Fine with me. The quota screen is done except for the empty state, screenshots tonight.'],
    ],
  },
  {
    subject: 'Numbers from the load test',
    daysAgo: 9,
    labels: ['Harbor', 'Reports'],
    important: true,
    turns: [
      [
        'samuel',
        'Attached the raw numbers. Short version: p99 went from 4.1 s to 2.6 s, memory is flat, and the third run is worthless because the disk was full.\n\nSamuel',
      ],
      [
        'me',
        'These look great. Could you run the 10 GB case once more with checksums off? I want to know what they really cost.',
      ],
      ['samuel', 'Done: 7 % of CPU, nothing on the clock. I would leave them on.'],
      ['me', 'Agreed. Thank you!'],
    ],
    attachments: [
      csvFile('load-test.csv', [
        ['run', 'p50_ms', 'p99_ms', 'rss_mb'],
        [1, 412, 2590, 188],
        [2, 420, 2644, 190],
        [3, 1877, 30112, 189],
      ]),
    ],
  },
  {
    subject: 'Angebot Schulung Objektspeicher',
    daysAgo: 31,
    labels: ['Customers'],
    isLatin: true,
    turns: [
      [
        'henrik',
        'Hallo Ada,\n\nkönntet ihr uns im Frühjahr eine zweitägige Schulung für etwa zwölf Leute geben? Gerne vor Ort in Kiel, die Räume stellen wir.\n\nSchöne Grüße\nHenrik',
      ],
      [
        'me',
        'Hallo Henrik,\n\nsehr gerne. Ich schicke bis Freitag ein Angebot mit zwei Terminen. Sollen die Übungen auf eurer Umgebung laufen oder auf unserer?\n\nViele Grüße\nAda',
      ],
      ['henrik', 'Auf eurer bitte, bei uns dauert jede Freigabe drei Wochen 😅'],
    ],
  },
  {
    subject: 'Re: Angebot Schulung – Vertrag',
    daysAgo: 24,
    labels: ['Customers'],
    turns: [
      ['henrik', 'Anbei der unterschriebene Vertrag. Wir freuen uns!\n\nHenrik'],
      ['me', 'Wunderbar, danke. Die Unterlagen kommen eine Woche vorher.'],
    ],
    attachments: [
      pdfFile('Vertrag Schulung.pdf', [
        'Schulungsvertrag',
        'Nordwind GmbH, Kiel',
        'Zwei Tage, zwoelf Personen',
      ]),
    ],
  },
  {
    subject: '来月の打ち合わせについて',
    daysAgo: 17,
    labels: ['Customers'],
    turns: [
      [
        'yuki',
        'ノヴァクさん\n\nお世話になっております。来月の打ち合わせですが、12日の16時（日本時間）はいかがでしょうか。移行計画の最新版もその時にいただけると助かります。\n\n佐藤',
      ],
      [
        'me',
        'Sato-san,\n\nthe 12th at 16:00 JST works well. I will bring the plan, and Mei joins to translate where my Japanese ends.\n\nAda',
      ],
      ['mei', '12日、私も参加します。よろしくお願いします 🙏'],
    ],
  },
  {
    subject: 'Interview feedback: second round',
    daysAgo: 40,
    labels: ['Hiring'],
    turns: [
      [
        'lucia',
        'I liked her a lot. She found the race in the exercise in five minutes and then explained why our fix was wrong. Strong yes from me.',
      ],
      ['me', 'Same here. One open question is remote: she wants to stay in Porto. I see no problem.'],
      ['samuel', 'Yes. And please let us answer this week, we were slow last time.'],
      ['me', 'Offer goes out today.'],
    ],
  },
  {
    subject: 'Migration at Reka: вопросы по срокам',
    daysAgo: 58,
    labels: ['Customers'],
    turns: [
      [
        'dimitri',
        'Ада, добрый день!\n\nМожем ли мы начать перенос архива на неделю раньше? Объём вырос до 38 ТБ.\n\nС уважением,\nДмитрий',
      ],
      ['me', 'Добрый день! Да, можно с понедельника. Скорость ограничим до 2 Гбит/с в рабочее время.\n\nАда'],
      ['dimitri', 'Отлично, спасибо. Доступы отправлю отдельно.'],
    ],
  },
  {
    subject: 'Fonts in the console',
    daysAgo: 66,
    labels: ['Lantern'],
    turns: [
      [
        'lucia',
        'Two candidates, see the picture. The left one has proper tabular figures, the right one is narrower. Opinions?',
      ],
      ['me', 'Left. We show numbers all day.'],
      ['mei', 'Left as well, and its Japanese fallback matches better.'],
    ],
    attachments: [pictureFile('type-comparison.png', [120, 150, 220])],
  },
  {
    subject: 'Postmortem: stalled transfers on the 3rd',
    daysAgo: 97,
    labels: ['Harbor', 'Reports'],
    important: true,
    cc: 'henrik',
    turns: [
      [
        'me',
        'Hi all,\n\ndraft of the postmortem is attached. Please check the timeline above all, I pieced it together from three clocks.\n\nAda',
      ],
      [
        'samuel',
        'Timeline is right except that the alert fired at 04:12, not 04:21. The page went to the old rota, which is a finding of its own.',
      ],
      [
        'henrik',
        'Thank you for the openness. From our side: transfers resumed at 06:40, no object was lost.',
      ],
      ['me', 'Both added. I will publish it tomorrow unless somebody objects.'],
    ],
    attachments: [
      pdfFile('postmortem-draft.pdf', [
        'Stalled transfers',
        '04:12 alert',
        '05:03 cause found',
        '06:40 all transfers resumed',
      ]),
    ],
  },
  {
    subject: 'Budget for the meet-up',
    daysAgo: 122,
    turns: [
      ['jonas', 'We have 1,800 € for the room and food. Is that enough for 60 people?'],
      ['me', 'If we skip the conference room hotel, yes. The library rents its hall for 300 €.'],
      ['jonas', 'Booked the library. Pizza or soup?'],
      ['me', 'Soup. Everybody does pizza.'],
      ['jonas', 'Soup it is 🍲'],
    ],
  },
  {
    subject: 'Plans do projeto',
    daysAgo: 171,
    labels: ['Customers'],
    turns: [
      [
        'clara',
        'Olá Ada,\n\nseguem as plantas do novo arquivo. São 14 TB de desenhos, quase todos TIFF. Quanto tempo levaria a cópia?\n\nAbraço,\nClara',
      ],
      [
        'me',
        'Olá Clara! With your line, about nine days; with the disk by post, two. I would take the post.',
      ],
      ['clara', 'Então vai pelo correio. Obrigada!'],
    ],
    attachments: [pdfFile('planta-arquivo.pdf', ['Planta do arquivo', 'Escala 1:100'])],
  },
  {
    subject: 'Conference talk: first outline',
    daysAgo: 205,
    starred: true,
    turns: [
      [
        'me',
        'Outline for the storage talk:\n\n1. Why copies fail at 99 %\n2. Leases, and how we got them wrong\n3. A demo that I will regret\n\nToo much for 25 minutes?',
      ],
      [
        'mei',
        'Drop the demo or drop the second part. I would keep the leases: nobody talks about what went wrong.',
      ],
      ['me', 'Demo is gone. You are right.'],
    ],
  },
];
