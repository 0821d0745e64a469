/** People who write to the sample accounts. */
export const PEOPLE = {
  jonas: 'Jonas Weber <jonas.weber@sandbox.example>',
  mei: 'Mei Tanaka <mei.tanaka@sandbox.example>',
  lucia: 'Lucia Ferrari <lucia@aurora-labs.example>',
  samuel: 'Samuel Okafor <samuel@aurora-labs.example>',
  henrik: 'Henrik Dahl <henrik.dahl@nordwind.example>',
  mama: 'Barbara Nowak <b.nowak@poczta.example>',
  kasia: 'Kasia Wójcik <kasia.wojcik@poczta.example>',
  noor: 'نور حداد <noor@bayt.example>',
  avi: 'אבי כהן <avi@galil.example>',
  yuki: '佐藤 由紀 <yuki.sato@hikari.example>',
  anais: 'Anaïs Moreau <anais@atelier-moreau.example>',
  dimitri: 'Дмитрий Соколов <d.sokolov@reka.example>',
  clara: 'Clara Mendes <clara@mendes-arquitetos.example>',
  recruiter: 'Philippa Stone <philippa.stone@hirewell.example>',
  landlord: 'Hausverwaltung Krüger <post@krueger-immobilien.example>',
  school: 'Szkoła Podstawowa nr 12 <sekretariat@sp12.example>',
} as const;

export type Person = keyof typeof PEOPLE;
